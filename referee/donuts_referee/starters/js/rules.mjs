// The board and the rules of DONUTS.
//
// A square is a number: 0 is a1, 1 is b1, and so on, row by row from the bottom. A cell holds ".", "x" or "o".

/** The steps in column and row of the four directions: along a row, a column, and the two diagonals. */
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/** What all squares of a line have in common, by the letter that the line has in a layout. */
const IN_COMMON = {
  H: (column, row) => row,
  V: (column, row) => column,
  D: (column, row) => column - row,
  A: (column, row) => column + row,
};

export const other = (side) => (side === "x" ? "o" : "x");

/** What never changes in a game. All that depends on the layout alone is worked out once, here. */
export class Board {
  constructor(layout, rings) {
    if (!/^([HVDA]{36}|[HVDA]{81})$/.test(layout)) {
      throw new RangeError("a layout has 36 or 81 letters of H, V, D and A");
    }
    this.squares = layout.length;
    this.size = Math.sqrt(this.squares);
    /** Rings of each side. */
    this.rings = rings ?? (this.size === 6 ? 15 : 36);
    /** For each square: the squares of the line that it shows. */
    this.lines = [];
    /** For each square and direction: the squares one way and the other way, from the nearest to the edge. */
    this.ways = [];
    /** For each square: the two, three or four squares beside it. */
    this.neighbours = [];
    /** All rows of five squares. */
    this.fives = [];
    for (let square = 0; square < this.squares; square++) {
      const inCommon = (at) => IN_COMMON[layout[square]](this.column(at), this.row(at));
      this.lines.push([...Array(this.squares).keys()].filter((at) => inCommon(at) === inCommon(square)));
      this.ways.push(DIRECTIONS.map(([right, up]) => [this.way(square, right, up), this.way(square, -right, -up)]));
      const beside = [[1, 0], [-1, 0], [0, 1], [0, -1]];
      this.neighbours.push(beside.flatMap(([right, up]) => this.way(square, right, up).slice(0, 1)));
      for (const [right, up] of DIRECTIONS) {
        const row = [square, ...this.way(square, right, up).slice(0, 4)];
        if (row.length === 5) this.fives.push(row);
      }
    }
  }

  column(square) {
    return square % this.size;
  }

  row(square) {
    return Math.floor(square / this.size);
  }

  way(square, right, up) {
    const found = [];
    let column = this.column(square) + right;
    let row = this.row(square) + up;
    while (column >= 0 && column < this.size && row >= 0 && row < this.size) {
      found.push(row * this.size + column);
      column += right;
      row += up;
    }
    return found;
  }

  /** "c4" for 20 on the small board. */
  name(square) {
    return "abcdefghi"[this.column(square)] + (this.row(square) + 1);
  }

  /** 20 for "c4" on the small board. */
  square(name) {
    return (Number(name[1]) - 1) * this.size + "abcdefghi".indexOf(name[0]);
  }
}

/** What changes in a game. `play` and `undo` change it in place, which is faster than to copy it. */
export class Position {
  constructor(board) {
    this.board = board;
    this.cells = Array(board.squares).fill(".");
    /** The side to move. */
    this.mover = "x";
    /** The square that was filled last; null before the first ring. */
    this.last = null;
    /** How many rings are on the board. */
    this.ply = 0;
  }

  /** The squares where the mover may place a ring; none when all rings are placed. */
  legal() {
    if (this.isFull()) return [];
    const isEmpty = (square) => this.cells[square] === ".";
    const line = this.last === null ? [] : this.board.lines[this.last].filter(isEmpty);
    if (line.length > 0) return line;
    return [...this.cells.keys()].filter(isEmpty); // the line is full, or it is the first ring
  }

  isFull() {
    return this.ply === 2 * this.board.rings;
  }

  /** Places a ring of the mover. Returns what `undo` needs, and `five`: whether this ring wins the game. */
  play(square) {
    const mine = this.mover;
    const before = { square, last: this.last, flips: this.flips(square), five: false };
    this.cells[square] = mine;
    for (const flip of before.flips) this.cells[flip] = mine;
    before.five = this.makesFive(square) || before.flips.some((flip) => this.makesFive(flip));
    this.last = square;
    this.mover = other(mine);
    this.ply++;
    return before;
  }

  undo({ square, last, flips }) {
    this.ply--;
    this.last = last;
    for (const flip of flips) this.cells[flip] = this.mover;
    this.mover = other(this.mover);
    this.cells[square] = ".";
  }

  /**
   * The rings that turn when the mover places one here. In each direction, over the mover's own rings: where the first
   * other square at both ends holds an opponent's ring, those two turn. All is looked at before anything turns.
   */
  flips(square) {
    const found = [];
    for (const [one, two] of this.board.ways[square]) {
      const ends = [this.end(one), this.end(two)];
      if (ends.every((end) => end !== undefined && this.cells[end] !== ".")) found.push(...ends);
    }
    return found;
  }

  /** The first square on this way that holds no ring of the mover; undefined at the edge. */
  end(way) {
    return way.find((square) => this.cells[square] !== this.mover);
  }

  /** Whether a row of five or more of one colour goes through this ring. */
  makesFive(square) {
    const side = this.cells[square];
    return this.board.ways[square].some(([one, two]) => 1 + this.run(one, side) + this.run(two, side) >= 5);
  }

  /** How many rings of a side this way begins with. */
  run(way, side) {
    let length = 0;
    while (length < way.length && this.cells[way[length]] === side) length++;
    return length;
  }

  /** How many rings the largest group of a side has; rings are connected left, right, up and down. */
  largestGroup(side) {
    const seen = new Set();
    let largest = 0;
    for (const first of this.cells.keys()) {
      if (this.cells[first] !== side || seen.has(first)) continue;
      const group = [first];
      seen.add(first);
      for (const square of group) {
        for (const next of this.board.neighbours[square]) {
          if (this.cells[next] === side && !seen.has(next)) {
            seen.add(next);
            group.push(next); // the loop comes to it, too
          }
        }
      }
      largest = Math.max(largest, group.length);
    }
    return largest;
  }
}

/** Counts the sequences of exactly `depth` rings; games that end earlier do not count. */
export function perft(position, depth) {
  const legal = position.legal();
  if (depth === 0) return 1;
  if (depth === 1) return legal.length;
  let count = 0;
  for (const square of legal) {
    const before = position.play(square);
    if (!before.five) count += perft(position, depth - 1);
    position.undo(before);
  }
  return count;
}
