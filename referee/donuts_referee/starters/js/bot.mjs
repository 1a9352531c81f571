// This bot plays DONUTS. The referee writes a line to its standard input for everything that happens, and the bot
// answers with lines on its standard output. Nothing else may go there: use console.error for what you want to see.
//
//     bot.mjs      the conversation with the referee (this file)
//     rules.mjs    the board and the rules
//     search.mjs   how it chooses a square: the place to begin when you want it to play better
import { createInterface } from "node:readline";
import { Board, Position, perft } from "./rules.mjs";
import { choose } from "./search.mjs";

/** Shown to people. */
const name = "NAME";

const usage = `usage: node bot.mjs                               plays on stdin and stdout (donuts play, donuts check)
       node bot.mjs perft LAYOUT DEPTH [RINGS]    counts move sequences (donuts perft)`;

const say = (line) => process.stdout.write(line + "\n");

/** What the bot is thinking of; aborted when nobody waits for the answer any more. */
let thinking = new AbortController();

/** How long to think, in milliseconds: a part of what is left, and never so long that the limit comes near. */
function thinkingTime({ clock, inc, limit }) {
  const share = Number(clock) / 25 + 0.75 * Number(inc);
  return Math.min(share, Number(limit) / 3, 2000); // where there is no clock, all of these are about 2^31
}

/** All there is to know stands in the turn: nothing need be remembered from one to the next. */
async function answer(id, turn) {
  thinking.abort();
  thinking = new AbortController();
  const { signal } = thinking;
  const board = new Board(turn.layout, Number(turn.rings));
  const position = new Position(board);
  position.cells = [...turn.cells];
  position.mover = turn.you;
  position.last = turn.last === "-" ? null : board.square(turn.last);
  position.ply = Number(turn.ply);
  const found = await choose(position, thinkingTime(turn), signal);
  if (signal.aborted) return;
  say(`move ${id} ${board.name(found.square)} eval=${found.eval} depth=${found.depth} nodes=${found.nodes}`);
}

/** Answers the referee until it says bye or is gone. What the bot does not know, it ignores. */
function talk() {
  say(`hello donuts=1-1 name=${name}`);
  const lines = createInterface({ input: process.stdin });
  lines.on("close", () => process.exit());
  lines.on("line", (line) => {
    const [verb, id, ...words] = line.split(" ");
    const fields = Object.fromEntries(words.map((word) => word.split("=")));
    if (verb === "turn") answer(id, fields);
    else if (verb === "game") say(`ready ${id}`);
    else if (verb === "ping") say(`pong ${id}`);
    else if (verb === "cancel" || verb === "end") thinking.abort();
    else if (verb === "bye") process.exit();
  });
}

/** perft LAYOUT DEPTH [RINGS]: counts move sequences, to prove that rules.mjs is right (see `donuts perft`). */
function countMoves([layout = "", depth, rings]) {
  try {
    const board = new Board(layout, rings && Number(rings));
    const isNumber = (number, most) => Number.isInteger(number) && number >= 1 && number <= most;
    if (!isNumber(Number(depth), 80)) throw new RangeError("DEPTH must be a number from 1 to 80");
    if (!isNumber(board.rings, board.squares / 2)) throw new RangeError("there is no room for so many RINGS");
    console.log(perft(new Position(board), Number(depth)));
  } catch (fault) {
    console.error(`${fault.message}\n${usage}`);
    process.exitCode = 2;
  }
}

const [word, ...rest] = process.argv.slice(2);
if (word === "perft") countMoves(rest);
else if (word === "--help") console.log(usage);
else if (word !== undefined) {
  console.error(usage);
  process.exitCode = 2;
} else talk();
