package main

// A square is an index: a1 is 0, b1 is 1, and so on, row by row.
const (
	none      = -1 // no square
	mostCells = 81
)

// What stands on a square: nothing, or a ring of one side. The other side of s is -s.
const (
	empty int8 = 0
	x     int8 = 1 // Chocolate, moves first
	o     int8 = -1
)

// directions are the four ways a row can run, as steps of (column, row).
var directions = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// board is what does not change in a game: the lines that its squares show, and where the neighbours are.
type board struct {
	layout string
	size   int
	lines  [][]int       // for each square, the squares of the line that it shows
	rays   [][4][2][]int // for each square and direction, the squares ahead of it and those behind it
	fives  [][5]int      // every five squares in a row
}

func squareIndex(size int, name string) int { return int(name[1]-'1')*size + int(name[0]-'a') }

func squareName(size, square int) string {
	return string([]byte{byte('a' + square%size), byte('1' + square/size)})
}

// newBoard works out a board of 36 or 81 letters.
func newBoard(layout string) *board {
	b := &board{layout: layout, size: 6}
	if len(layout) == 81 {
		b.size = 9
	}
	letters := map[byte]int{'H': 0, 'V': 1, 'D': 2, 'A': 3} // in the order of directions
	b.lines = make([][]int, len(layout))
	b.rays = make([][4][2][]int, len(layout))
	for square := range b.rays {
		for d, step := range directions {
			ahead := b.ray(square, step[0], step[1])
			behind := b.ray(square, -step[0], -step[1])
			b.rays[square][d] = [2][]int{ahead, behind}
			if d == letters[layout[square]] {
				b.lines[square] = append(append([]int{}, ahead...), behind...)
			}
			if len(ahead) >= 4 {
				b.fives = append(b.fives, [5]int{square, ahead[0], ahead[1], ahead[2], ahead[3]})
			}
		}
	}
	return b
}

// ray lists the squares from here, this one not included, to the edge.
func (b *board) ray(square, columns, rows int) []int {
	var squares []int
	column, row := square%b.size+columns, square/b.size+rows
	for 0 <= column && column < b.size && 0 <= row && row < b.size {
		squares = append(squares, row*b.size+column)
		column, row = column+columns, row+rows
	}
	return squares
}

// position is a game at one moment. It is a small value: to try a placement, work on a copy.
type position struct {
	cells [mostCells]int8
	ply   int // rings placed so far
	rings int // that each side has
	last  int // the square filled last, or none
}

// mover is the side on turn.
func (p *position) mover() int8 {
	if p.ply%2 == 0 {
		return x
	}
	return o
}

// full tells whether all rings are placed.
func (p *position) full() bool { return p.ply == 2*p.rings }

// legal appends the squares that may be filled to squares: the empty ones of the line shown on the square filled last,
// or any empty one where there are none.
func (p *position) legal(b *board, squares []int) []int {
	if p.last != none {
		for _, square := range b.lines[p.last] {
			if p.cells[square] == empty {
				squares = append(squares, square)
			}
		}
	}
	if len(squares) == 0 {
		for square := range b.lines {
			if p.cells[square] == empty {
				squares = append(squares, square)
			}
		}
	}
	return squares
}

// place puts a ring of the mover on a square, flips what it flips, and tells whether that makes five in a row, which
// wins the game.
func (p *position) place(b *board, square int) (five bool) {
	mine := p.mover()
	p.cells[square] = mine
	p.last = square
	p.ply++
	// All directions are looked at before anything is flipped: collect first.
	var flipped [8]int
	count := 0
	for d := range directions {
		ahead := p.bound(b.rays[square][d][0], mine)
		behind := p.bound(b.rays[square][d][1], mine)
		if ahead != none && behind != none { // the opponent's rings bound ours at both ends
			flipped[count], flipped[count+1] = ahead, behind
			count += 2
		}
	}
	for _, other := range flipped[:count] {
		p.cells[other] = mine
	}
	for _, changed := range flipped[:count] {
		five = five || p.rowOfFive(b, changed, mine)
	}
	return five || p.rowOfFive(b, square, mine)
}

// bound walks over rings of mine and returns the square behind them if the opponent has it, or none.
func (p *position) bound(ray []int, mine int8) int {
	for _, square := range ray {
		switch p.cells[square] {
		case mine:
			continue
		case empty:
			return none
		default:
			return square
		}
	}
	return none
}

// rowOfFive tells whether a row of five or more of mine runs through this square.
func (p *position) rowOfFive(b *board, square int, mine int8) bool {
	for d := range directions {
		length := 1
		for _, ray := range b.rays[square][d] {
			for _, next := range ray {
				if p.cells[next] != mine {
					break
				}
				length++
			}
		}
		if length >= 5 {
			return true
		}
	}
	return false
}

// largestGroup counts the rings of the largest group of a side; rings are connected over edges, not corners.
func (p *position) largestGroup(b *board, side int8) int {
	var seen [mostCells]bool
	var stack [mostCells]int
	largest := 0
	for start := range b.lines {
		if p.cells[start] != side || seen[start] {
			continue
		}
		seen[start] = true
		stack[0] = start
		waiting, group := 1, 0
		for waiting > 0 {
			waiting--
			group++
			for _, rays := range b.rays[stack[waiting]][:2] { // H and V
				for _, ray := range rays {
					if len(ray) > 0 && p.cells[ray[0]] == side && !seen[ray[0]] {
						seen[ray[0]] = true
						stack[waiting] = ray[0]
						waiting++
					}
				}
			}
		}
		if group > largest {
			largest = group
		}
	}
	return largest
}
