export { MAX_INT, NO_LIMIT, InvalidMessage } from "./keys.js";
export { MAX_BYTES, decode, encode } from "./messages.js";
export { ConfigError, parseSeat, readSeat } from "./seat.js";
export { SentAway, play } from "./client.js";
