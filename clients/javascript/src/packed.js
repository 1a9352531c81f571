/** Messages as msgpack maps (SPEC 4). */
import { decode, encode } from "@msgpack/msgpack";
import { InvalidMessage, isClean, isKey } from "./keys.js";

/** How deep a payload may nest; the map itself is depth 1 (DBP-4.5). */
const DEPTH = 3;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The payload of a message whose values are right. */
export function write(shape, message) {
  const map = { t: shape.verb };
  for (const key of shape.fields.keys()) {
    if (message[key] !== undefined) map[key] = message[key];
  }
  return encode(map);
}

/** The shape and the values in a payload. */
export function read(payload, shapes) {
  new Survey(payload).whole();
  const map = decode(payload, { useBigInt64: true });
  const verb = typeof map.t === "string" ? map.t : "";
  const shape = shapes.get(verb);
  if (!shape) throw new InvalidMessage("no such verb", verb, verb !== "");
  const values = new Map();
  for (const [key, packed] of Object.entries(map)) {
    const field = shape.fields.get(key);
    if (!field) continue; // of a later edition (DBP-12.4)
    const value = typeof packed === "bigint" ? Number(packed) : packed; // beyond 2^53 - 1 it stays beyond
    if (!field.kind.holds(value)) throw new InvalidMessage(`${key} must be ${field.kind.reads}`, verb);
    values.set(key, value);
  }
  return [shape, values];
}

/**
 * Looks over a payload before it is decoded, for what the library would let pass: a key that is repeated or no str,
 * nesting, floats, which JavaScript cannot tell from integers, and all that is not in the protocol (DBP-4.4, 4.5).
 */
class Survey {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  whole() {
    const head = this.bytes[0];
    if (!((head >= 0x80 && head <= 0x8f) || head === 0xde || head === 0xdf)) refuse("the payload is not a map");
    this.value(1);
    if (this.at !== this.bytes.length) refuse("there are bytes after the map");
  }

  value(depth) {
    const head = this.number(1);
    if (head <= 0x7f || head >= 0xe0) return; // an integer in one byte
    if (head <= 0x8f) this.map(head & 0x0f, depth);
    else if (head <= 0x9f) this.array(head & 0x0f, depth);
    else if (head <= 0xbf) this.text(head & 0x1f);
    else if (head >= 0xcc && head <= 0xd3) this.skip(1 << (head & 3)); // uint 8 to 64, int 8 to 64
    else if (head >= 0xd9 && head <= 0xdb) this.text(this.number(1 << (head - 0xd9)));
    else if (head === 0xdc || head === 0xdd) this.array(this.number(head === 0xdc ? 2 : 4), depth);
    else if (head === 0xde || head === 0xdf) this.map(this.number(head === 0xde ? 2 : 4), depth);
    else refuse(`byte ${head} begins a type that is not in the protocol`);
  }

  array(length, depth) {
    if (depth > DEPTH) refuse(`it nests deeper than ${DEPTH}`);
    for (; length > 0; length--) this.value(depth + 1);
  }

  map(length, depth) {
    if (depth > DEPTH) refuse(`it nests deeper than ${DEPTH}`);
    const seen = new Set();
    for (; length > 0; length--) {
      const key = this.key();
      if (seen.has(key)) refuse(`${JSON.stringify(key)} is given twice`);
      if (depth === 1 && !isKey(key)) refuse(`${JSON.stringify(key)} is no key`);
      seen.add(key);
      this.value(depth + 1);
    }
  }

  key() {
    const head = this.number(1);
    if (head >= 0xa0 && head <= 0xbf) return this.text(head & 0x1f);
    if (head >= 0xd9 && head <= 0xdb) return this.text(this.number(1 << (head - 0xd9)));
    return refuse("a key is not a str");
  }

  text(length) {
    const start = this.at;
    this.skip(length);
    try {
      const text = UTF8.decode(this.bytes.subarray(start, this.at));
      if (isClean(text)) return text;
    } catch {
      // said below
    }
    return refuse("a string is no UTF-8, or holds a control character");
  }

  number(width) {
    const at = this.at;
    this.skip(width);
    if (width === 1) return this.view.getUint8(at);
    return width === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
  }

  skip(length) {
    this.at += length;
    if (this.at > this.bytes.length) refuse("it is cut short");
  }
}

function refuse(reason) {
  throw new InvalidMessage(reason);
}
