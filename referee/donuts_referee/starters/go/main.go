// This bot plays DONUTS. The referee writes a line to its standard input for everything that happens, and the bot
// answers with lines on its standard output. Nothing else may go there: print what you want to see to os.Stderr.
//
//	main.go    the conversation with the referee (this file)
//	rules.go   the board and the rules
//	search.go  how it chooses a square: the place to begin when you want it to play better
//	perft.go   counts move sequences, to prove that rules.go is right
package main

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
)

// name is shown to people.
const name = "NAME"

const usage = `usage: @NAME@                                plays on stdin and stdout (donuts play, donuts check)
       @NAME@ perft LAYOUT DEPTH [RINGS]     counts move sequences (donuts perft)`

func main() {
	if len(os.Args) > 1 && os.Args[1] == "perft" {
		if err := runPerft(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	if len(os.Args) > 1 {
		if os.Args[1] == "--help" {
			fmt.Println(usage)
			return
		}
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	talk()
}

// answer is what a search found for the turn with this id.
type answer struct {
	id   string
	best result
}

// talk answers the referee until it says bye or is gone. The search runs beside it, so that a turn can be cancelled
// while the bot thinks about it.
func talk() {
	say("hello donuts=1-1 name=" + url.PathEscape(name)) // say this first, and load what is heavy afterwards
	lines := make(chan string)
	go read(lines)
	answers := make(chan answer, 1)
	thinking := ""         // id of the turn that the search is at work on
	var stop *atomic.Bool  // tells that search to give up
	var boards boardKeeper // so that the lines of a board are worked out once a game
	giveUp := func() {
		if thinking != "" {
			stop.Store(true)
			<-answers // it comes at once, and nobody wants it any longer
			thinking = ""
		}
	}
	for {
		select {
		case line, open := <-lines:
			if !open { // the referee is gone
				return
			}
			verb, id, fields := parse(line)
			switch verb {
			case "game":
				say("ready " + id)
			case "turn":
				giveUp()
				thinking, stop = id, new(atomic.Bool)
				question, halt := boards.question(fields), stop
				go func() { answers <- answer{id, choose(question, halt)} }()
			case "cancel", "end":
				giveUp()
			case "ping":
				say("pong " + id)
			case "bye":
				return
			} // a bot ignores what it does not know
		case found := <-answers:
			thinking = ""
			best := found.best
			square := squareName(boards.last.size, best.square)
			say(fmt.Sprintf("move %s %s eval=%d depth=%d nodes=%d", found.id, square, best.eval(), best.depth, best.nodes))
		}
	}
}

// say writes one line. os.Stdout is not buffered, so that there is nothing to flush.
func say(line string) { fmt.Println(line) }

// read hands over the lines of the standard input, and closes the channel at its end.
func read(lines chan<- string) {
	for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
		lines <- scanner.Text()
	}
	close(lines)
}

// parse takes a line apart: its verb, its id if it has one, and its key=value fields, in whatever order they stand.
func parse(line string) (verb, id string, fields map[string]string) {
	words := strings.Split(line, " ")
	fields = map[string]string{}
	for at, word := range words {
		key, value, is := strings.Cut(word, "=")
		switch {
		case at == 0:
			verb = word
		case is:
			fields[key] = value
		case at == 1:
			id = word
		}
	}
	return verb, id, fields
}

// question is what a turn asks: a position, the squares to choose from, and the time there is.
type question struct {
	board    *board
	position position
	legal    []int
	clock    int // ms left for the game, inc included
	inc      int // ms that each move adds
	limit    int // ms for this move at most
}

// boardKeeper remembers the board that was played on last.
type boardKeeper struct{ last *board }

// question reads the fields of a turn. All there is to know stands in them; nothing need be remembered.
func (keeper *boardKeeper) question(fields map[string]string) question {
	if keeper.last == nil || keeper.last.layout != fields["layout"] {
		keeper.last = newBoard(fields["layout"])
	}
	number := func(key string) int {
		value, _ := strconv.Atoi(fields[key])
		return value
	}
	b := keeper.last
	asked := question{board: b, clock: number("clock"), inc: number("inc"), limit: number("limit")}
	asked.position = position{ply: number("ply"), rings: number("rings"), last: none}
	for square, ring := range fields["cells"] {
		switch ring {
		case 'x':
			asked.position.cells[square] = x
		case 'o':
			asked.position.cells[square] = o
		}
	}
	if fields["last"] != "-" {
		asked.position.last = squareIndex(b.size, fields["last"])
	}
	for _, square := range strings.Split(fields["legal"], ",") {
		asked.legal = append(asked.legal, squareIndex(b.size, square))
	}
	return asked
}
