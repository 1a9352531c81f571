// An arena for tests: a ROUTER on a loopback address that says what it is told to say.
import assert from "node:assert/strict";
import { after } from "node:test";
import { Router } from "zeromq";
import { decode, encode, play } from "../src/index.js";

export const SESSION = "9f0c2b6e5d1a48739f0c2b6e5d1a4873";
export const LAYOUT = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH";

export const welcome = { t: "welcome", donuts: "1-1", session: SESSION, caps: [], maxline: 4096, ref: "test/1" };
export const game = {
  t: "game", id: 731, you: "x", size: 6, rings: 15, main: 1000, inc: 0, margin: 50, prep: 1000, seed: 7,
};
export const turn = {
  t: "turn", id: 732, game: 731, ply: 0, you: "x", size: 6, rings: 15, layout: LAYOUT, cells: ".".repeat(36),
  legal: ["c1", "e3", "f4"], clock: 1000, oclock: 1000, inc: 0, limit: 1000, margin: 50, spent: 0,
};
export const end = {
  t: "end", id: 731, result: "win", winner: "x", why: "resign", ply: 1, cells: ".".repeat(36), moves: ["c1"], more: 0,
};

export class Arena {
  constructor(encoding = "msgpack", options = {}) {
    this.encoding = encoding;
    this.router = new Router({ linger: 0, mandatory: true, ...options });
    after(() => this.close());
  }

  close() {
    if (!this.router.closed) this.router.close();
  }

  async bind(endpoint = "tcp://127.0.0.1:*") {
    for (let bound = false; !bound; ) {
      bound = await this.router.bind(endpoint).then(
        () => true,
        (fault) => {
          if (fault.code !== "EADDRINUSE") throw fault; // a socket lets go of its address a little after `close`
          return new Promise((resolve) => setImmediate(resolve, false));
        },
      );
    }
    this.endpoint = this.router.lastEndpoint;
    return this;
  }

  /** The next message of a bot, from whichever connection; it is the one that is spoken to from now on. */
  async heard(expected) {
    const [peer, frame] = await this.router.receive();
    this.peer = peer;
    const message = decode(frame, this.encoding, "bot");
    if (expected) assert.deepEqual(message, expected);
    return message;
  }

  async say(...messages) {
    for (const message of messages) await this.frame(encode(message, this.encoding, "referee"));
  }

  frame(...frames) {
    return this.router.send([this.peer, ...frames]);
  }

  /** Takes a hello that shows this session, and says welcome. */
  async greet(session) {
    const hello = await this.heard();
    assert.equal(hello.t, "hello");
    assert.equal(hello.session, session);
    await this.say(welcome);
    return hello;
  }
}

/** A bot that plays what `choose` returns, with all that it is told in `heard`. */
export function bot(choose = ({ legal }) => legal[0]) {
  const heard = [];
  return {
    heard,
    prepare: (message) => void heard.push(message),
    move: choose,
    finish: (message) => void heard.push(message),
  };
}

/** Begins to play; a test that ends before the bot does sends it away. */
export function playing(arena, player, options = {}) {
  const gone = new AbortController();
  after(() => gone.abort());
  const seat = { endpoint: arena.endpoint, name: "bot" };
  const over = play(player, { seat, encoding: arena.encoding, signal: gone.signal, ...options });
  over.catch(() => {});
  return over;
}
