/** What the keys and messages of DBP/1 may hold (SPEC 6.1 and 6.2). */

/** The largest integer on the wire, which is the largest that a JavaScript number holds exactly. */
export const MAX_INT = Number.MAX_SAFE_INTEGER;

/** What stands for "no clock at all", in milliseconds (DBP-8.5). */
export const NO_LIMIT = 2147483647;

/** Some bytes, or some values, are no message. */
export class InvalidMessage extends Error {
  name = "InvalidMessage";

  /**
   * @param {string} reason what is wrong
   * @param {string} [verb] as far as it could be read
   * @param {boolean} [unknown] the verb is not one that this sender has: a bot ignores it (DBP-12.4)
   */
  constructor(reason, verb = "", unknown = false) {
    super(verb ? `no valid ${JSON.stringify(verb)}: ${reason}` : `no message: ${reason}`);
    this.verb = verb;
    this.unknown = unknown;
  }
}

// Control characters, bidirectional controls and lone surrogates (DBP-3.10).
const UNCLEAN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;

/** Whether people may be shown this string. */
export const isClean = (text) => !UNCLEAN.test(text);

export const isKey = (text) => /^[a-z][a-z0-9_]*$/.test(text);

/*
 * A kind is the type of a key, which has one in every message: its `form`, what it `holds`, and `reads`, which
 * completes "KEY must be". The forms are integer, word (never escaped), phrase (for people, escaped in text) and list
 * (of words).
 */

const integer = (low, high, reads = `an integer from ${low} to ${high}`) => ({
  form: "integer",
  holds: (value) => Number.isInteger(value) && low <= value && value <= high && !Object.is(value, -0),
  reads,
});

const word = (pattern, reads) => ({
  form: "word",
  holds: (value) => typeof value === "string" && pattern.test(value),
  reads,
});

const phrase = (low, high) => ({
  form: "phrase",
  holds(value) {
    if (typeof value !== "string" || value.length > 2 * high || !isClean(value)) return false;
    const length = [...value].length; // characters, not UTF-16 units (DBP-3.13)
    return low <= length && length <= high;
  },
  reads: `${low} to ${high} characters, none of them a control`,
});

const list = (low, high, pattern, reads) => ({
  form: "list",
  holds: (value) =>
    Array.isArray(value) &&
    low <= value.length &&
    value.length <= high &&
    value.every((item) => typeof item === "string" && pattern.test(item)),
  reads,
});

const WORD = /^[a-z][a-z0-9_]{0,31}$/;
const SQUARE = /^[a-i][1-9]$/;
const CELLS = "36 or 81 characters out of . x and o";

const anyInteger = integer(0, MAX_INT);
const flag = integer(0, 1, "0 or 1");
const code = word(WORD, "a word of at most 32 lower-case letters, digits and _");
const square = word(SQUARE, "a square such as e4");
const squares = list(0, 81, SQUARE, "at most 81 squares such as e4");
const side = word(/^[xo]$/, "x or o");
const size = { ...integer(6, 9, "6 or 9"), holds: (value) => value === 6 || value === 9 };

const KINDS = new Map(
  Object.entries({
    donuts: word(/^(0|[1-9]\d{0,5})-(0|[1-9]\d{0,5})$/, "a range of versions such as 1-1"),
    name: phrase(1, 40),
    ver: phrase(0, 40),
    author: phrase(0, 40),
    caps: list(0, 32, WORD, "at most 32 words"),
    seat: phrase(1, 128),
    session: phrase(1, 64),
    tc: word(/^(inf|[\d.]{1,12}(\+[\d.]{1,12})?)$/, "a time control such as 10+0.1"),
    sq: square,
    eval: integer(0, 1000),
    proof: word(/^(win|draw|loss)$/, "win, draw or loss"),
    pv: squares,
    text: phrase(0, 200),
    code,
    maxline: integer(1, MAX_INT),
    ref: phrase(1, 80),
    you: side,
    size,
    rings: integer(1, 40),
    opp: phrase(1, 40),
    ply: integer(0, 80),
    layout: word(/^([HVDA]{36}|[HVDA]{81})$/, "36 or 81 letters out of H, V, D and A"),
    cells: word(/^([.xo]{36}|[.xo]{81})$/, CELLS),
    last: square,
    legal: list(1, 81, SQUARE, "1 to 81 squares such as e4"),
    resend: flag,
    why: code,
    result: word(/^(win|loss|draw|void)$/, "win, loss, draw or void"),
    winner: side,
    five: squares,
    moves: squares,
    more: flag,
  }),
);

/**
 * A message's verb and its fields, arguments first, in the order in which they are written. In `keys` a `!` follows an
 * argument, a `?` an optional field, and a `-` one that is "-" in text and left out in msgpack where there is none.
 */
function shape(verb, keys) {
  const fields = new Map();
  for (const [, key, marks] of keys.matchAll(/(\w+)([!?-]*)/g)) {
    const kind = KINDS.get(key) ?? anyInteger;
    const [argument, optional, none] = [..."!?-"].map((mark) => marks.includes(mark));
    fields.set(key, { key, kind, argument, optional, none });
  }
  return [verb, { verb, fields }];
}

const THOUGHTS = "eval? proof? nodes? depth? pv? text?";

/** The messages of each end. */
export const SHAPES = {
  bot: new Map([
    shape("hello", "donuts name ver? author? caps? seat? session? tc?"),
    shape("ready", "id!"),
    shape("move", `id! sq! ${THOUGHTS}`),
    shape("resign", "id!"),
    shape("info", `id! ${THOUGHTS}`),
    shape("pong", "id!"),
    shape("error", "id!- code? text?"),
    shape("bye", "text?"),
  ]),
  referee: new Map([
    shape("welcome", "donuts session caps maxline ref name?"),
    shape("game", "id! you size rings main inc margin prep movemax? opp? seed"),
    shape(
      "turn",
      "id! game ply you size rings layout cells last- legal clock oclock inc limit margin spent resend?",
    ),
    shape("cancel", "id! why?"),
    shape("ping", "id!"),
    shape("error", "id!- code? text?"),
    shape("end", "id! result winner- why text? ply cells five? moves more"),
    shape("bye", "why? min? max?"),
  ]),
};
