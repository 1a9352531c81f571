#!/usr/bin/env node
// Plays random legal squares at an arena, over ZeroMQ and msgpack:
//
//   sample.mjs (--connect ENDPOINT | --seat-file FILE) [--name NAME] [--games N] [--tc TC]
//
// A token may stand in the environment variable DONUTS_SEAT instead of a file. It exits with 0 when the arena is done
// with it or its games are over, 2 where it cannot be started so, 3 where the arena sent it away, 1 for other faults.
import { parseArgs } from "node:util";
import { ConfigError, SentAway, play, readSeat } from "./src/index.js";

const USAGE = "usage: sample.mjs (--connect ENDPOINT | --seat-file FILE) [--name NAME] [--games N] [--tc TC]";

const random = {
  move: ({ legal }) => legal[Math.floor(Math.random() * legal.length)],
};

/** The command line, the join file and the environment as options for `play`. */
function options() {
  const text = { type: "string" };
  let given;
  try {
    given = parseArgs({ options: { connect: text, "seat-file": text, name: text, games: text, tc: text } }).values;
  } catch (fault) {
    throw new ConfigError(`${fault.message}; ${USAGE}`);
  }
  const { connect, "seat-file": file, name, games, tc } = given;
  if ((connect === undefined) === (file === undefined)) {
    throw new ConfigError(`give --connect ENDPOINT or --seat-file FILE; ${USAGE}`);
  }
  if (games !== undefined && !/^[1-9]\d{0,8}$/.test(games)) throw new ConfigError("--games must be a number from 1 up");
  const seat = file === undefined ? { endpoint: connect } : readSeat(file);
  seat.token ??= process.env.DONUTS_SEAT || undefined;
  return { seat, name: name ?? seat.name ?? "js-sample", games: Number(games ?? 0), tc, version: "1.0" };
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143 };
const ended = new AbortController();
for (const [signal, status] of Object.entries(SIGNALS)) process.once(signal, () => ended.abort(status));

if (process.argv[2] === "--help") {
  console.log(USAGE);
  process.exit();
}

try {
  await play(random, { ...options(), signal: ended.signal, log: (line) => console.error(line) });
} catch (fault) {
  if (ended.signal.aborted && fault === ended.signal.reason) {
    process.exitCode = fault;
  } else {
    const told = fault instanceof ConfigError || fault instanceof SentAway;
    console.error(told ? fault.message : fault);
    process.exitCode = fault instanceof ConfigError ? 2 : fault instanceof SentAway ? 3 : 1;
  }
}
