/** Where a bot dials and what it shows there: the join file (DBP-11.13). */
import { readFileSync } from "node:fs";

/** What was asked for cannot be done; the message says why, and holds no secret. */
export class ConfigError extends Error {
  name = "ConfigError";
}

const KEYS = new Map([
  ["endpoint", "endpoint"],
  ["name", "name"],
  ["token", "token"],
  ["server_key", "serverKey"],
  ["public_key", "publicKey"],
  ["secret_key", "secretKey"],
]);
const PAIR = /^([A-Za-z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\["\\])*)"|'([^']*)')\s*(?:#.*)?$/;
const CURVE = /^[0-9A-Za-z.\-:+=^!/*?&<>()[\]{}@%$#]{40}$/;
const LOOPBACK = /^tcp:\/\/(127(\.\d{1,3}){3}|\[::1\]|localhost):/;

/** See index.d.ts. */
export function readSeat(path) {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (fault) {
    throw new ConfigError(fault.message, { cause: fault });
  }
  try {
    return parseSeat(text);
  } catch (fault) {
    if (fault instanceof ConfigError) fault.message = `${path} is no join file: ${fault.message}`;
    throw fault;
  }
}

/** See index.d.ts. */
export function parseSeat(text) {
  const seat = {};
  for (const [at, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const pair = PAIR.exec(line);
    if (!pair) throw new ConfigError(`line ${at + 1} is not key = "value"`);
    const key = KEYS.get(pair[1]);
    if (!key) throw new ConfigError(`line ${at + 1}: no such key: ${pair[1]}`);
    if (key in seat) throw new ConfigError(`line ${at + 1}: ${pair[1]} is given twice`);
    seat[key] = pair[3] ?? pair[2].replace(/\\(.)/g, "$1");
  }
  checkSeat(seat);
  return seat;
}

/** Throws a ConfigError where nothing can be dialled with this seat. */
export function checkSeat(seat) {
  const { endpoint, token, serverKey, publicKey, secretKey } = seat;
  if (!endpoint) throw new ConfigError("endpoint is missing, such as tcp://127.0.0.1:7464");
  if (token !== undefined && !/^[A-Za-z0-9_.~-]{1,128}$/.test(token)) {
    throw new ConfigError("the token must be 1 to 128 letters, digits, _ . ~ or -");
  }
  const keys = [serverKey, publicKey, secretKey].filter((key) => key !== undefined);
  if (keys.length !== 0 && keys.length !== 3) {
    throw new ConfigError("server_key, public_key and secret_key go together");
  }
  if (!keys.every((key) => CURVE.test(key))) throw new ConfigError("a key must have 40 characters in Z85");
  if (keys.length === 0 && endpoint.startsWith("tcp://") && !LOOPBACK.test(endpoint)) {
    throw new ConfigError(`${endpoint} is no loopback address, and without keys everybody could listen`);
  }
}
