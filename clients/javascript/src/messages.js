/** Messages to bytes and back, in either encoding. No socket and no order of messages is known here. */
import { InvalidMessage, SHAPES } from "./keys.js";
import * as packed from "./packed.js";
import * as text from "./text.js";

/** The bytes of the longest line or payload (DBP-2.4, DBP-2.5). */
export const MAX_BYTES = 4096;

const FORMS = { text, msgpack: packed };

const tooLong = (length, verb) => new InvalidMessage(`${length} bytes, and ${MAX_BYTES} are the most`, verb);

/** See index.d.ts. */
export function encode(message, encoding = "text", sender = "bot") {
  const shape = SHAPES[sender].get(message.t);
  if (!shape) throw new InvalidMessage("no such verb", String(message.t));
  check(shape, message);
  const bytes = FORMS[encoding].write(shape, message);
  if (bytes.length > MAX_BYTES) throw tooLong(bytes.length, shape.verb);
  return bytes;
}

/** See index.d.ts. */
export function decode(bytes, encoding = "text", sender = "referee") {
  if (bytes.length > MAX_BYTES) throw tooLong(bytes.length);
  const [shape, values] = FORMS[encoding].read(bytes, SHAPES[sender]);
  const message = { t: shape.verb };
  for (const [key, value] of values) message[key] = value;
  check(shape, message);
  return message;
}

/** Throws where a value is missing, or out of its bounds. */
function check(shape, message) {
  for (const { key, kind, optional, none } of shape.fields.values()) {
    const value = message[key];
    if (value === undefined) {
      if (!optional && !none) throw new InvalidMessage(`${key} is missing`, shape.verb);
    } else if (!kind.holds(value)) {
      throw new InvalidMessage(`${key} must be ${kind.reads}`, shape.verb);
    }
  }
}
