/** Messages as lines of text (SPEC 3). */
import { InvalidMessage, isClean, isKey } from "./keys.js";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The line of a message whose values are right, without its LF. */
export function write(shape, message) {
  const words = [shape.verb];
  for (const { key, kind, argument, none } of shape.fields.values()) {
    const value = message[key];
    if (value === undefined && !none) continue;
    const written = value === undefined ? "-" : kind.form === "phrase" ? escape(value) : String(value);
    words.push(argument ? written : `${key}=${written}`);
  }
  return Buffer.from(words.join(" "), "latin1");
}

/** The shape and the values in a line without its LF. */
export function read(line, shapes) {
  const strange = line.find((byte) => byte < 0x20 || byte > 0x7e);
  if (strange !== undefined) throw new InvalidMessage(`byte ${strange} is not printable ASCII`);
  const [verb, ...rest] = Buffer.from(line).toString("latin1").split(" ");
  const shape = shapes.get(verb);
  if (!shape) throw new InvalidMessage("no such verb", verb, true);
  const values = new Map();
  const seen = new Set();
  for (const field of shape.fields.values()) {
    if (!field.argument) break;
    if (!rest.length) throw new InvalidMessage(`${field.key} is missing`, verb);
    take(values, field, rest.shift(), verb);
    seen.add(field.key);
  }
  for (const token of rest) {
    const cut = token.indexOf("=");
    const key = token.slice(0, Math.max(cut, 0));
    if (!isKey(key)) throw new InvalidMessage(`${JSON.stringify(token)} is not key=value`, verb);
    if (seen.has(key)) throw new InvalidMessage(`${key} is given twice`, verb);
    seen.add(key);
    const field = shape.fields.get(key);
    if (field) take(values, field, token.slice(cut + 1), verb);
    else unescape(token.slice(cut + 1), verb); // of a later edition, but its form is checked (DBP-3.11)
  }
  for (const { key, none } of shape.fields.values()) {
    if (none && !seen.has(key)) throw new InvalidMessage(`${key} is missing`, verb);
  }
  return [shape, values];
}

/** Reads the value of a field. */
function take(values, { key, kind, none }, raw, verb) {
  if (none && raw === "-") return;
  let value = raw;
  if (kind.form === "integer") value = /^(0|[1-9]\d{0,15})$/.test(raw) ? Number(raw) : NaN;
  else if (kind.form === "phrase") value = unescape(raw, verb);
  else if (kind.form === "list") value = raw === "" ? [] : raw.split(",");
  if (!kind.holds(value)) {
    throw new InvalidMessage(`${key} must be ${kind.reads}, not ${JSON.stringify(raw.slice(0, 100))}`, verb);
  }
  values.set(key, value);
}

/** A string as it stands in text (DBP-3.5). */
function escape(text) {
  let written = "";
  for (const byte of Buffer.from(text, "utf8")) {
    const letter = String.fromCharCode(byte);
    const plain = byte > 0x20 && byte < 0x7f && !"%,=".includes(letter);
    written += plain ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return written;
}

/** What an escaped string says (DBP-3.6). */
function unescape(raw, verb) {
  if (!raw.includes("%")) return raw;
  if (/%(?![0-9A-Fa-f]{2})/.test(raw)) throw new InvalidMessage("a % without two hexadecimal digits", verb);
  const bytes = raw.replace(/%(..)/g, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
  try {
    const text = UTF8.decode(Buffer.from(bytes, "latin1"));
    if (isClean(text)) return text;
  } catch {
    // said below
  }
  throw new InvalidMessage("its escapes are no UTF-8, or hide a control character", verb);
}
