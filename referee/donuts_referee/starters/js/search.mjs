// How the bot chooses a square: it looks ahead ever deeper until its time is over (negamax with alpha-beta).
//
// This is the place to begin when you want it to play better: `evaluate` first.
import { other } from "./rules.mjs";

/** The value of a game that is won. A win is worth a little less the later it comes. */
const WIN = 100000;

/** What a row of five squares is worth to the only side that has rings in it, by how many they are. */
const WORTH = [0, 1, 4, 12, 30, 0];

/** How good a position is for its mover, without looking ahead. */
function evaluate(position) {
  const { board, cells, mover } = position;
  let score = 3 * (position.largestGroup(mover) - position.largestGroup(other(mover)));
  for (const row of board.fives) {
    let mine = 0;
    let theirs = 0;
    for (const square of row) {
      if (cells[square] === mover) mine++;
      else if (cells[square] !== ".") theirs++;
    }
    if (theirs === 0) score += WORTH[mine];
    else if (mine === 0) score -= WORTH[theirs];
  }
  return score;
}

/** What a game is worth to the mover when all rings are placed: the larger group wins. */
function finalValue(position) {
  const difference = position.largestGroup(position.mover) - position.largestGroup(other(position.mover));
  return Math.sign(difference) * (WIN - position.ply);
}

/** Thrown where the time is over. */
const TIME_OVER = Symbol("time over");

class Search {
  nodes = 0;

  constructor(position, deadline) {
    this.position = position;
    this.deadline = deadline;
  }

  /** What it is worth to the mover to place a ring here, looking `depth` rings ahead. */
  value(square, depth, alpha, beta) {
    const before = this.position.play(square);
    try {
      if (before.five) return WIN - this.position.ply;
      return -this.best(depth - 1, -beta, -alpha);
    } finally {
      this.position.undo(before);
    }
  }

  /** What the position is worth to its mover: exact between alpha and beta, else a bound. */
  best(depth, alpha, beta) {
    if (++this.nodes % 16 === 0 && performance.now() >= this.deadline) throw TIME_OVER;
    if (this.position.isFull()) return finalValue(this.position);
    if (depth === 0) return evaluate(this.position);
    for (const square of this.position.legal()) {
      const value = this.value(square, depth, alpha, beta);
      if (value > alpha) alpha = value;
      if (alpha >= beta) break; // the other side will not let it come to this
    }
    return alpha;
  }
}

/** A round of the event loop, so that lines of the referee are read while the bot thinks. */
const breath = () => new Promise((resolve) => setImmediate(resolve));

/**
 * The best square that is found in `time` milliseconds, with its value in permille, how deep the search was, and how
 * many positions it saw. It ends early where `signal` is aborted.
 */
export async function choose(position, time, signal) {
  const search = new Search(position, performance.now() + time);
  const squares = position.legal();
  let found = { square: squares[0], value: 0, depth: 0 };
  const left = 2 * position.board.rings - position.ply;
  try {
    for (let depth = 1; depth <= left && Math.abs(found.value) < WIN - 100; depth++) {
      let deeper = { square: squares[0], value: -Infinity, depth };
      for (const square of squares) {
        const value = search.value(square, depth, deeper.value, Infinity);
        if (value > deeper.value) deeper = { square, value, depth };
        await breath();
        if (signal.aborted) throw TIME_OVER;
      }
      found = deeper;
      squares.splice(squares.indexOf(found.square), 1); // the best one is looked at first from now on
      squares.unshift(found.square);
    }
  } catch (fault) {
    if (fault !== TIME_OVER) throw fault;
  }
  const chances = Math.round(500 + 500 * Math.tanh(found.value / 100));
  return { square: found.square, eval: chances, depth: found.depth, nodes: search.nodes };
}
