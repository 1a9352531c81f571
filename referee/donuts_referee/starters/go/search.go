package main

import (
	"sync/atomic"
	"time"
)

// Scores are from the side of whoever is on turn. A win is beyond won-mostCells, and the sooner it comes the better.
const (
	won      = 1_000_000
	infinity = 2 * won
)

// weights is what one, two, three or four rings in five squares in a row are worth while the opponent has none there.
var weights = [5]int{0, 1, 4, 16, 64}

// result is what a search found.
type result struct {
	square int
	score  int
	depth  int // plies that were looked ahead
	nodes  int
}

// eval turns a score into chances in permille, which is what the protocol calls eval.
func (r result) eval() int {
	switch {
	case r.score > won-mostCells: // a win that is sure
		return 1000
	case r.score < -won+mostCells:
		return 0
	}
	chances := 500 + 2*r.score
	if chances < 1 {
		chances = 1
	}
	if chances > 999 {
		chances = 999
	}
	return chances
}

// searcher holds what all positions of one search have in common.
type searcher struct {
	board    *board
	halt     *atomic.Bool // set when nobody waits for the answer any longer
	deadline time.Time
	nodes    int
	stopped  bool
}

// budget is how long to think: half of an even share of the clock for each ring that is left, and of the increment.
// The other half is for a machine that is busy with something else.
func budget(asked question) time.Duration {
	left := (2*asked.position.rings-asked.position.ply+1)/2 + 1
	share := asked.clock - asked.inc
	if share < 0 {
		share = 0
	}
	ms := share/left + asked.inc
	if ms > asked.limit {
		ms = asked.limit
	}
	if ms > 5000 { // the clock may be endless
		ms = 5000
	}
	return time.Duration(ms) * time.Millisecond / 2
}

// choose looks one ply further each time, until the time is up, and returns the best square of the last round.
func choose(asked question, halt *atomic.Bool) result {
	s := &searcher{board: asked.board, halt: halt, deadline: time.Now().Add(budget(asked))}
	best := result{square: asked.legal[0]}
	if len(asked.legal) == 1 {
		return best
	}
	most := 2*asked.position.rings - asked.position.ply
	for depth := 1; depth <= most && !s.stopped; depth++ {
		found := s.root(asked, best.square, depth)
		if found.depth > 0 { // also of a round that was cut short, since it tried the old best first
			best = found
		}
		if best.score > won-mostCells || best.score < -won+mostCells { // there is nothing more to find out
			break
		}
	}
	best.nodes = s.nodes
	return best
}

// root scores all squares, the best one of the round before first. Where the time is up it returns the best of those it
// got round to; the depth of the result is 0 where there is none.
func (s *searcher) root(asked question, first, depth int) result {
	best := result{square: first, score: -infinity}
	for at, square := range append([]int{first}, asked.legal...) {
		if at > 0 && square == first {
			continue
		}
		score := s.try(asked.position, square, depth, best.score, infinity)
		if s.stopped {
			break
		}
		if score > best.score {
			best = result{square: square, score: score, depth: depth}
		}
	}
	return best
}

// try scores a placement, from the side of the one who makes it. p is a copy that it may change.
func (s *searcher) try(p position, square, depth, alpha, beta int) int {
	s.nodes++
	if p.place(s.board, square) {
		return won - p.ply
	}
	if p.full() {
		mine, theirs := -p.mover(), p.mover() // the turn has passed
		own, other := p.largestGroup(s.board, mine), p.largestGroup(s.board, theirs)
		switch {
		case own > other:
			return won - p.ply
		case own < other:
			return -won + p.ply
		}
		return 0
	}
	if depth <= 1 {
		return -s.judge(&p)
	}
	return -s.search(&p, depth-1, -beta, -alpha)
}

// search is alpha-beta: the score of p, where one below alpha or above beta need not be exact.
func (s *searcher) search(p *position, depth, alpha, beta int) int {
	if s.timeUp() {
		return 0
	}
	var room [mostCells]int
	best := -infinity
	for _, square := range p.legal(s.board, room[:0]) {
		score := s.try(*p, square, depth, alpha, beta)
		if score > best {
			best = score
		}
		if best > alpha {
			alpha = best
		}
		if alpha >= beta || s.stopped {
			break
		}
	}
	return best
}

// timeUp tells whether the search has to end.
func (s *searcher) timeUp() bool {
	s.stopped = s.stopped || s.halt.Load() || time.Now().After(s.deadline)
	return s.stopped
}

// judge guesses how good a position is for the side on turn: rows that may become five, and the groups.
func (s *searcher) judge(p *position) int {
	mine := p.mover()
	score := 0
	for _, five := range s.board.fives {
		own, other := 0, 0
		for _, square := range five {
			switch p.cells[square] {
			case mine:
				own++
			case -mine:
				other++
			}
		}
		if other == 0 {
			score += weights[own]
		} else if own == 0 {
			score -= weights[other]
		}
	}
	return score + 2*(p.largestGroup(s.board, mine)-p.largestGroup(s.board, -mine))
}
