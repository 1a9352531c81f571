package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// runPerft is the mode `perft LAYOUT DEPTH [RINGS]`: it prints how many sequences of exactly DEPTH placements there
// are. `donuts perft LAYOUT --depth DEPTH` prints the same number when rules.go is right.
func runPerft(args []string) error {
	if len(args) < 2 || len(args) > 3 {
		return errors.New(usage)
	}
	layout := args[0]
	if len(layout) != 36 && len(layout) != 81 || strings.Trim(layout, "HVDA") != "" {
		return fmt.Errorf("a layout is 36 or 81 letters out of H, V, D and A")
	}
	depth, err := strconv.Atoi(args[1])
	if err != nil || depth < 1 {
		return fmt.Errorf("DEPTH is a number from 1, not %q", args[1])
	}
	rings, most := 15, 18
	if len(layout) == 81 {
		rings, most = 36, 40
	}
	if len(args) == 3 {
		if rings, err = strconv.Atoi(args[2]); err != nil || rings < 1 || rings > most {
			return fmt.Errorf("RINGS is a number from 1 to %d, not %q", most, args[2])
		}
	}
	fmt.Println(perft(newBoard(layout), position{rings: rings, last: none}, depth))
	return nil
}

// perft counts the sequences of exactly depth placements from p. A game that is over does not go on.
func perft(b *board, p position, depth int) int {
	if p.full() {
		return 0
	}
	var room [mostCells]int
	squares := p.legal(b, room[:0])
	if depth == 1 {
		return len(squares)
	}
	count := 0
	for _, square := range squares {
		next := p // a copy
		if !next.place(b, square) {
			count += perft(b, next, depth-1)
		}
	}
	return count
}
