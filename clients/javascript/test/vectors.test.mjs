// Runs protocol/vectors against the two encodings.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MAX_INT, InvalidMessage, decode, encode } from "../src/index.js";

const SENDERS = ["bot", "referee"]; // the rules as a service are another profile

function vectors(file) {
  const lines = readFileSync(new URL(`../../../protocol/vectors/${file}`, import.meta.url), "ascii").trim().split("\n");
  const found = lines.map((line) => JSON.parse(line)).filter((vector) => SENDERS.includes(vector.from));
  assert.ok(found.length > 0, `${file} holds no message of a bot or a referee`);
  return found;
}

const sorted = (items) => [...items].sort();
const fromHex = (digits) => Uint8Array.from(Buffer.from(digits, "hex"));

for (const vector of vectors("messages.jsonl")) {
  test(`golden: ${vector.name}`, () => {
    const line = Buffer.from(vector.text, "latin1");
    const payload = fromHex(vector.msgpack);
    assert.deepEqual(decode(line, "text", vector.from), vector.message);
    assert.deepEqual(decode(payload, "msgpack", vector.from), vector.message);
    const written = encode(vector.message, "text", vector.from);
    const packed = encode(vector.message, "msgpack", vector.from);
    assert.deepEqual(sorted(written.toString("latin1").split(" ")), sorted(vector.text.split(" ")));
    assert.deepEqual(sorted(packed), sorted(payload)); // the order of keys is free; the bytes of each are not
    assert.deepEqual(decode(packed, "msgpack", vector.from), vector.message);
    if (vector.from === "bot") assert.equal(written.toString("latin1"), vector.text);
  });
}

for (const vector of vectors("acceptances.jsonl")) {
  test(`${vector.clause}: ${vector.name} is read`, () => {
    assert.deepEqual(decode(fromHex(vector.hex), vector.encoding, vector.from), vector.message);
  });
}

// What is refused for its id alone, which only a referee can tell.
const ABOUT_IDS = ["info for a closed question", "info for an id never issued"];

for (const vector of vectors("refusals.jsonl").filter(({ name }) => !ABOUT_IDS.includes(name))) {
  test(`${vector.clause}: ${vector.name} (${vector.encoding}) is refused`, () => {
    assert.throws(() => decode(fromHex(vector.hex), vector.encoding, vector.from), InvalidMessage);
  });
}

for (const encoding of ["text", "msgpack"]) {
  test(`integers up to 2^53 - 1 survive (${encoding})`, () => {
    for (const id of [0, 127, 128, 255, 256, 65535, 65536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, MAX_INT - 1, MAX_INT]) {
      const message = { t: "pong", id };
      assert.deepEqual(decode(encode(message, encoding), encoding, "bot"), message);
    }
  });

  test(`what is out of its bounds is not written (${encoding})`, () => {
    for (const message of [
      { t: "hello", donuts: "1", name: "a" },
      { t: "hello", donuts: "1-1" },
      { t: "hello", donuts: "1-1", name: "a".repeat(41) },
      { t: "hello", donuts: "1-1", name: "a\nb" },
      { t: "hello", donuts: "1-1", name: "\ud800" },
      { t: "hello", donuts: "1-1", name: "a", caps: ["Info"] },
      { t: "ready", id: -1 },
      { t: "ready", id: -0 },
      { t: "ready", id: 1.5 },
      { t: "ready", id: "1" },
      { t: "ready", id: MAX_INT + 1 },
      { t: "move", id: 1, sq: "e0" },
      { t: "move", id: 1, sq: "e4", eval: 1001 },
      { t: "move", id: 1, sq: "e4", eval: NaN },
      { t: "move", id: 1, sq: "e4", proof: "maybe" },
      { t: "toString" },
      { t: "turn", id: 1 },
    ]) {
      assert.throws(() => encode(message, encoding), InvalidMessage, JSON.stringify(message));
    }
  });

  test(`a verb of a later edition is told from a broken message (${encoding})`, () => {
    const bytes = encoding === "text" ? Buffer.from("ponder 7") : fromHex("82a174a6706f6e646572a2696407");
    assert.throws(() => decode(bytes, encoding), { name: "InvalidMessage", verb: "ponder", unknown: true });
    const broken = encoding === "text" ? Buffer.from("ping x") : fromHex("81a174a470696e67");
    assert.throws(() => decode(broken, encoding), { name: "InvalidMessage", verb: "ping", unknown: false });
  });
}

test("a payload names no key of JavaScript's own", () => {
  for (const key of ["__proto__", "constructor"]) {
    const length = (0xa0 + key.length).toString(16);
    const bytes = fromHex(`83a174a470696e67a2696407${length}${Buffer.from(key).toString("hex")}01`);
    if (key === "constructor") assert.deepEqual(decode(bytes, "msgpack"), { t: "ping", id: 7 });
    else assert.throws(() => decode(bytes, "msgpack"), InvalidMessage);
  }
});
