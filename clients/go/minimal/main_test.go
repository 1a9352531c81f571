package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets the test binary be the bot itself.
func TestMain(m *testing.M) {
	if os.Getenv("BE_THE_BOT") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// answers returns what the bot writes, after its hello, to these lines and the end of its input.
func answers(t *testing.T, lines []string) []string {
	t.Helper()
	bot := exec.Command(os.Args[0])
	bot.Env = append(os.Environ(), "BE_THE_BOT=1")
	bot.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var stderr bytes.Buffer
	bot.Stderr = &stderr
	written, err := bot.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	found := strings.Split(strings.TrimSuffix(string(written), "\n"), "\n")
	if found[0] != "hello donuts=1-1 name=go-minimal" {
		t.Fatalf("the bot begins with %q", found[0])
	}
	return found[1:]
}

func TestItAnswersTheGoldenMessages(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "..", "protocol", "vectors", "messages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	type message struct {
		T     string
		ID    int64
		Legal []string
	}
	var lines []string
	var questions []message
	for scan := bufio.NewScanner(file); scan.Scan(); {
		var v struct {
			From, Text string
			Message    message
		}
		if err := json.Unmarshal(scan.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.From != "referee" || v.Message.T == "bye" {
			continue
		}
		lines = append(lines, v.Text)
		if v.Message.T == "game" || v.Message.T == "turn" || v.Message.T == "ping" {
			questions = append(questions, v.Message)
		}
	}
	found := answers(t, lines)
	if len(found) != len(questions) || len(found) == 0 {
		t.Fatalf("%d answers to %d questions", len(found), len(questions))
	}
	for at, question := range questions {
		switch question.T {
		case "game":
			question.Legal = []string{fmt.Sprintf("ready %d", question.ID)}
		case "ping":
			question.Legal = []string{fmt.Sprintf("pong %d", question.ID)}
		default:
			for i, square := range question.Legal {
				question.Legal[i] = fmt.Sprintf("move %d %s", question.ID, square)
			}
		}
		if all := "\n" + strings.Join(question.Legal, "\n") + "\n"; !strings.Contains(all, "\n"+found[at]+"\n") {
			t.Errorf("%q answers %s %d", found[at], question.T, question.ID)
		}
	}
}

func TestItLeavesAtBye(t *testing.T) {
	if found := answers(t, []string{"applause 1", "ping 2", "bye why=done", "ping 3"}); len(found) != 1 {
		t.Fatalf("the bot wrote %q", found)
	}
}
