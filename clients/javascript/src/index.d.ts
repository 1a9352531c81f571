/** The DONUTS Bot Protocol (DBP/1) for bots that dial in to an arena over ZeroMQ. */

/** The largest integer on the wire, 2^53 - 1: every integer of the protocol is exact in JavaScript. */
export const MAX_INT: 9007199254740991;
/** What stands for "no clock at all", in milliseconds. */
export const NO_LIMIT: 2147483647;
/** The bytes of the longest line or payload. */
export const MAX_BYTES: 4096;

// --- messages: objects as in the msgpack form, the verb under `t`; times are milliseconds, chances permille --------

export type Side = "x" | "o";
export type Outcome = "win" | "loss" | "draw";
export type Flag = 0 | 1;
/** A letter a-i and a digit 1-9, such as "e4". */
export type Square = string;
export type Encoding = "text" | "msgpack";
export type Sender = "bot" | "referee";

export interface Hello {
  t: "hello";
  /** The versions of DBP, such as "1-1". */
  donuts: string;
  /** 1 to 40 characters, for display only. */
  name: string;
  ver?: string;
  author?: string;
  /** Capabilities asked for; version 1 has "info". */
  caps?: string[];
  /** The secret token that claims a seat. */
  seat?: string;
  /** The token of the session that is taken up again. */
  session?: string;
  /** A wish for a time control, such as "10+0.1". */
  tc?: string;
}

/** What a bot may tell of its thoughts; it is never judged. */
export interface Thoughts {
  /** Its own chances: 1000 is a sure win. */
  eval?: number;
  /** What it has proved, from its own side. */
  proof?: Outcome;
  nodes?: number;
  depth?: number;
  /** The placements it expects. */
  pv?: Square[];
  /** At most 200 characters. */
  text?: string;
}

export interface Ready { t: "ready"; id: number }
export interface Move extends Thoughts { t: "move"; id: number; sq: Square }
export interface Resign { t: "resign"; id: number }
export interface Info extends Thoughts { t: "info"; id: number }
export interface Pong { t: "pong"; id: number }
/** From either end: a message could not be used. */
export interface ErrorMessage { t: "error"; id?: number; code?: string; text?: string }
/** The bot leaves, and resigns the game that is running. */
export interface Leave { t: "bye"; text?: string }

export interface Welcome {
  t: "welcome";
  donuts: string;
  /** The secret token of the session. */
  session: string;
  /** Capabilities granted. */
  caps: string[];
  maxline: number;
  ref: string;
  /** Of the seat, under which the bot is listed. */
  name?: string;
}

export interface Game {
  t: "game";
  id: number;
  you: Side;
  size: 6 | 9;
  /** Rings a side. */
  rings: number;
  main: number;
  inc: number;
  margin: number;
  /** What `prepare` has. */
  prep: number;
  movemax?: number;
  /** The opponent's name, where it is not hidden. */
  opp?: string;
  /** For the bot's own dice; the same when a game is replayed. */
  seed: number;
}

export interface Turn {
  t: "turn";
  id: number;
  game: number;
  /** Placements made so far. */
  ply: number;
  you: Side;
  size: 6 | 9;
  rings: number;
  /** The lines of the squares in index order: a letter H, V, D or A each. */
  layout: string;
  /** The rings on the squares in index order: x, o or `.` each. */
  cells: string;
  /** The square that was filled last; absent before the first placement. */
  last?: Square;
  /** Every legal square in index order, never none. */
  legal: Square[];
  /** What is left on the clock, the increment for this move included. */
  clock: number;
  oclock: number;
  inc: number;
  /** For this move. */
  limit: number;
  margin: number;
  /** Charged for the bot's own last move. */
  spent: number;
  resend?: Flag;
}

export interface Cancel { t: "cancel"; id: number; why?: string }
export interface Ping { t: "ping"; id: number }

export interface End {
  t: "end";
  /** Of the game. */
  id: number;
  result: Outcome | "void";
  winner?: Side;
  why: string;
  text?: string;
  ply: number;
  cells: string;
  /** Every square of every row of five or more. */
  five?: Square[];
  /** All placements from the start. */
  moves: Square[];
  /** Another game of the match follows. */
  more: Flag;
}

export interface Bye { t: "bye"; why?: string; min?: number; max?: number }

export type BotMessage = Hello | Ready | Move | Resign | Info | Pong | ErrorMessage | Leave;
export type RefereeMessage = Welcome | Game | Turn | Cancel | Ping | ErrorMessage | End | Bye;

/** Some bytes, or some values, are no message. */
export class InvalidMessage extends Error {
  /** As far as it could be read. */
  readonly verb: string;
  /** The verb is not one that the sender has: a bot ignores it. */
  readonly unknown: boolean;
}

/**
 * The bytes of a message: a line without its LF (in text, the default), or a payload without its length. Throws
 * InvalidMessage where a value is out of its bounds, so that a referee takes whatever is returned.
 */
export function encode(message: BotMessage, encoding?: Encoding, sender?: "bot"): Uint8Array;
export function encode(message: RefereeMessage, encoding: Encoding, sender: "referee"): Uint8Array;

/** The message in such bytes, whose types and ranges need no further check. Throws InvalidMessage. */
export function decode(bytes: Uint8Array, encoding?: Encoding, sender?: "referee"): RefereeMessage;
export function decode(bytes: Uint8Array, encoding: Encoding, sender: "bot"): BotMessage;

// --- a bot at an arena ----------------------------------------------------------------------------------------------

/** Where a bot dials and what it shows there. */
export interface Seat {
  /** Such as "tcp://127.0.0.1:7464" or "ipc://run/arena.sock". */
  endpoint: string;
  name?: string;
  token?: string;
  /** The three keys for CURVE, each of 40 characters in Z85; all of them or none. */
  serverKey?: string;
  publicKey?: string;
  secretKey?: string;
}

/** Nothing can be dialled with this; the message says why, and holds no secret. */
export class ConfigError extends Error {}

/** Reads a join file. Throws ConfigError. */
export function readSeat(path: string): Seat;
/** Reads the text of a join file: lines of key = "value", and comments. Throws ConfigError. */
export function parseSeat(text: string): Seat;

export interface Thinking {
  /** Aborted as soon as nobody waits for the answer; a bot that computes without a pause sees it when it awaits. */
  readonly signal: AbortSignal;
  /** Sends an info; false where it was dropped: `PlayOptions.info` asks to be allowed, and 20 a second are the most. */
  report(info: Thoughts): boolean;
}

/**
 * Chooses squares. Its methods are called one after the other, never two at a time, and may return promises. What
 * they throw is told to the arena and ends `play`, which throws it; so does a square that is not legal.
 */
export interface Bot {
  /** One of `turn.legal`, alone or with the bot's thoughts; null gives the game up. */
  move(turn: Turn, thinking: Thinking): Choice | Promise<Choice>;
  /** Before the first turn of a game; it has `game.prep` milliseconds. */
  prepare?(game: Game): unknown;
  /** After a game, also after the last one. */
  finish?(end: End): unknown;
}

export type Choice = Square | ({ sq: Square } & Thoughts) | null;

export interface PlayOptions {
  seat: Seat;
  /** For display; default: the seat's. */
  name?: string;
  /** The bot's own. */
  version?: string;
  author?: string;
  /** A wish for a time control, such as "10+0.1". */
  tc?: string;
  /** After so many games it leaves; default: as many as come. */
  games?: number;
  /** Ask to be allowed to `report`. */
  info?: boolean;
  /** Default: msgpack. */
  encoding?: Encoding;
  /** ms without a word, while no answer is owed, after which it dials again; default: the 15 s of the specification. */
  silence?: number;
  /** Is told what people may want to know: why it takes longer, and what the arena complains of. */
  log?(line: string): void;
  /** Makes the bot say bye and leave; `play` throws the signal's reason. */
  signal?: AbortSignal;
}

/** The arena sent the bot away for good; the message says what helps. */
export class SentAway extends Error {
  /** Of the bye, or "key" where the arena does not know the CURVE key. */
  readonly why: string;
  /** What the arena said to it, if anything. */
  readonly text: string;
}

/**
 * Plays until the arena is done with the bot, or `games` are over. A lost connection is replaced, the session taken up
 * again, and an answer that was cut off given again, without the bot noticing. Throws ConfigError, SentAway, the reason
 * of `signal`, or what the bot itself threw.
 */
export function play(bot: Bot, options: PlayOptions): Promise<void>;
