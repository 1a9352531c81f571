// Minimal is a whole bot that imports nothing but the standard library: it plays a random legal square.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"time"
)

func main() {
	dice := rand.New(rand.NewSource(time.Now().UnixNano()))
	fmt.Println("hello donuts=1-1 name=go-minimal") // os.Stdout is not buffered: there is nothing to flush
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Split(lines.Text(), " ")
		switch words[0] {
		case "game":
			fmt.Println("ready", words[1])
		case "turn":
			for _, word := range words[2:] {
				if strings.HasPrefix(word, "legal=") {
					legal := strings.Split(word[len("legal="):], ",")
					fmt.Println("move", words[1], legal[dice.Intn(len(legal))])
				}
			}
		case "ping":
			fmt.Println("pong", words[1])
		case "bye":
			return
		}
	}
}
