/** A bot at an arena, over one connection after the other (SPEC 11). */
import { Dealer } from "./dealer.js";
import { InvalidMessage } from "./keys.js";
import { decode, encode } from "./messages.js";
import { ConfigError, checkSeat } from "./seat.js";
import { Worker } from "./worker.js";

const SILENCE = 15_000; // ms without a word, while no answer is owed, after which a bot dials again (DBP-11.8)
const PATIENCE = 3_000; // ms without a welcome after which people are told
const FLUSH = 500; // ms that a last bye has to leave

/** The words of a bye after which a bot dials in again by itself: these two, and the codes of SPEC 9 (DBP-11.14). */
const AGAIN = new Set(
  (
    "drain busy five group resign illegal malformed timeout unread crash disconnect protocol flood start " +
    "late state rate referee abort"
  ).split(" "),
);

const REMEDIES = {
  seat: "there is no such seat, or it is revoked: ask the operator for a new join file",
  key: "it does not know the key of this join file, or has revoked it: ask the operator for a new one",
  replaced: "another connection holds this seat now: stop the other one, or use a seat of its own for each",
  kicked: "the operator has removed this bot: ask there before you dial in again",
  benched: "too many games in a row were lost by the bot's own faults: mend it, then start it again",
  version: "the two speak no version of the protocol in common: update the older one",
};

/** The arena sent the bot away for good. */
export class SentAway extends Error {
  name = "SentAway";

  /**
   * @param {string} why of the bye, or "key" where the arena does not know the CURVE key
   * @param {string} text what the arena said to it, if anything
   */
  constructor(why, text = "") {
    const remedy = REMEDIES[why];
    super(`the arena says bye: ${why}${text && ` (${JSON.stringify(text)})`}${remedy ? `; ${remedy}` : ""}`);
    this.why = why;
    this.text = text;
  }
}

/** How long to wait before dialling again: `first` ms, then twice as long each time, up to `most`. */
class Pauses {
  constructor(first, most) {
    Object.assign(this, { first, most, now: first });
  }

  next() {
    const pause = this.now;
    this.now = Math.min(2 * pause, this.most);
    return pause;
  }

  reset() {
    this.now = this.first;
  }
}

/** See index.d.ts. */
export async function play(bot, options) {
  checkSeat(options.seat);
  if (options.signal?.aborted) throw options.signal.reason;
  const client = new Client(bot, options);
  try {
    await client.over;
    await client.finished;
    if (client.fault !== undefined) throw client.fault;
  } finally {
    client.stop();
  }
}

class Client {
  #options;
  #where;
  #log;
  #encoding;
  #hello;
  #settle;
  #ended = false;

  // one connection
  #dealer = null;
  #greeted = false; // hello was said on it
  #alive = false; // something was asked on it, so that dialling anew at once cannot go round in circles
  #open = null; // id of the question that is open on it
  #silent; // the timer that replaces it

  // all of them
  #again; // the timer that dials
  #patience; // the timer that tells people
  #told = new Set(); // what they were told since the last welcome
  #afterLoss = new Pauses(100, 2_000);
  #afterBye = new Pauses(1_000, 30_000);
  #session;
  #reports = false; // info was granted
  #job = null; // what the bot is at work on
  #answer = null; // the answer that was given last
  #game = null; // id of the game that is announced or played
  #games = 0; // how many are over
  finished = Promise.resolve(); // when the last `finish` has returned
  fault; // what was wrong with that
  #complaint = ""; // the arena's last error, if nothing was asked since
  #abort = () => this.#leave(this.#options.signal.reason);

  constructor(bot, options) {
    const { seat, name, version, author, tc, info, encoding = "msgpack", silence = SILENCE } = options;
    this.#options = { ...options, silence };
    this.#where = seat.endpoint;
    this.#log = options.log ?? (() => {});
    this.#encoding = encoding;
    this.#hello = {
      t: "hello",
      donuts: "1-1",
      name: name ?? [...(seat.name ?? "")].slice(0, 40).join(""),
      ver: version,
      author,
      caps: info ? ["info"] : undefined,
      seat: seat.token,
      tc,
    };
    try {
      encode(this.#hello, encoding);
    } catch (fault) {
      throw new ConfigError(fault.message, { cause: fault });
    }
    this.worker = new Worker(bot, {
      done: (job, answer) => this.#done(job, answer),
      failed: (job, fault) => this.#failed(job, fault),
      report: (job, info) => this.#report(job, info),
    });
    /** Resolved when there is no more to do, rejected where that is a fault. */
    this.over = new Promise((resolve, reject) => {
      this.#settle = (fault) => (fault === undefined ? resolve() : reject(fault));
    });
    options.signal?.addEventListener("abort", this.#abort);
    this.#expect(PATIENCE);
    this.#dial();
  }

  /** Ends it; no promise of it is pending then. */
  stop() {
    this.#end();
    this.#withdraw();
    this.#dealer?.close();
    this.#dealer = null;
    for (const timer of [this.#silent, this.#again, this.#patience]) clearTimeout(timer);
    this.#options.signal?.removeEventListener("abort", this.#abort);
  }

  #end(fault) {
    this.#ended = true;
    this.#settle(fault);
  }

  /** Says bye, and ends it. */
  #leave(fault) {
    if (this.#ended) return;
    if (this.#greeted) this.#say({ t: "bye" });
    this.#dealer?.close(FLUSH);
    this.#dealer = null;
    this.#end(fault);
  }

  // --- one connection after the other ---------------------------------------------------------------------------

  #dial() {
    if (this.#ended) return;
    let dealer = null;
    const present = (handle) => (what) => {
      if (this.#dealer === dealer && !this.#ended) handle(what);
    };
    try {
      dealer = this.#dealer = new Dealer(this.#options.seat, {
        frame: present((bytes) => this.#hear(bytes)),
        news: present((word) => this.#follow(word)),
      });
    } catch (fault) {
      this.#end(fault);
    }
  }

  #follow(news) {
    switch (news) {
      case "made":
        this.#greeted = true;
        this.#open = null;
        return this.#say({ ...this.#hello, session: this.#session });
      case "missed":
        return this.#tell(`nobody answers at ${this.#where}`);
      case "botched":
        this.#tell(
          `what answers at ${this.#where} breaks off the handshake: it is no arena, or wants other keys, or none`,
        );
        return this.#redial();
      case "refused":
        return this.#end(new SentAway("key"));
      case "lost":
        return this.#redial();
    }
  }

  /** This connection is of no use any more: dial at once, or after a pause where it never was of any. */
  #redial() {
    this.#hangUp(this.#alive ? 0 : this.#afterLoss.next());
  }

  /** The bot stays at work on what was open. */
  #hangUp(pause) {
    this.#dealer?.close();
    this.#dealer = null;
    this.#greeted = this.#alive = false;
    this.#open = null;
    clearTimeout(this.#silent);
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#dial(), pause);
    if (!this.#patience) this.#expect(pause + PATIENCE);
  }

  /** From here the silence is counted. */
  #sound() {
    clearTimeout(this.#silent);
    this.#silent = setTimeout(() => {
      if (this.#dealer && this.#greeted && this.#open === null) this.#redial();
    }, this.#options.silence);
  }

  #say(message) {
    const dealer = this.#dealer;
    this.#sound();
    dealer.send(encode(message, this.#encoding)).catch(() => {
      if (this.#dealer === dealer && !this.#ended) this.#redial(); // it takes no more
    });
  }

  #expect(patience) {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => {
      if (!this.#told.size) this.#tell(`the arena at ${this.#where} does not answer, or wants keys, or other ones`);
    }, patience);
  }

  /** Tells people, once until the next welcome, why it takes longer. */
  #tell(line) {
    if (this.#told.has(line)) return;
    this.#told.add(line);
    this.#log(`${line}; dialling again`);
  }

  // --- what comes in --------------------------------------------------------------------------------------------

  #hear(bytes) {
    let message;
    try {
      message = decode(bytes, this.#encoding);
    } catch (fault) {
      if (!(fault instanceof InvalidMessage)) return this.#leave(fault);
      if (fault.unknown) return this.#sound(); // of a later edition (DBP-12.4)
      this.#log(`a message of the arena cannot be used: ${fault.message}`);
      if (!this.#greeted) return;
      return this.#say({ t: "error", code: "protocol", text: "a message of yours could not be used" });
    }
    this.#sound();
    this.#judge(message);
  }

  #judge(message) {
    switch (message.t) {
      case "welcome":
        return this.#arrive(message);
      case "error":
        return this.#heed(message);
      case "bye":
        return this.#part(message);
      case "ping":
        this.#asked();
        this.#withdraw();
        return this.#say({ t: "pong", id: message.id });
      case "game":
        this.#asked();
        this.#game = message.id;
        return this.#question(message.id, () => this.worker.prepare(message));
      case "turn":
        this.#asked();
        this.#game = message.game;
        return this.#question(message.id, () => this.worker.move(message));
      case "cancel":
        this.#alive = true;
        if (this.#job?.id === message.id) this.#withdraw();
        if (this.#open === message.id) this.#open = null;
        return;
      case "end":
        this.#asked();
        this.#withdraw();
        this.#afterBye.reset();
        if (message.id === this.#game) this.#finish(message);
    }
  }

  /** The arena deals with this bot, and no question is open but the one that may be put now. */
  #asked() {
    this.#alive = true;
    this.#open = null;
    this.#complaint = "";
    this.#afterLoss.reset();
  }

  /** Nobody waits any longer for what the bot is at work on. */
  #withdraw() {
    this.#job?.withdraw();
    this.#job = null;
  }

  /** Puts a question to the bot, unless it is at work on it already, or has answered it (DBP-11.11). */
  #question(id, start) {
    if (this.#answer?.id === id) return this.#say(this.#answer);
    this.#open = id;
    if (this.#job?.id === id) return;
    this.#withdraw();
    this.#job = start();
  }

  /** Counts a game, and leaves after the last. */
  #finish(end) {
    this.#game = null;
    this.#games++;
    this.finished = this.worker.finish(end);
    if (this.#options.games && this.#games >= this.#options.games) this.#leave();
  }

  #arrive({ session, caps, ref, name }) {
    if (session !== this.#session) {
      if (this.#session === undefined || this.#told.size) {
        this.#log(`welcome${name ? ` as ${name}` : ""} at ${this.#where}, says ${ref}`);
      }
      this.#session = session; // a new one: what was before it is gone
      this.#withdraw();
      this.#answer = this.#game = null;
    }
    this.#reports = caps.includes("info");
    this.#told.clear();
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  #heed({ code = "", text = code }) {
    if (code === "hello") return this.#redial(); // it does not know this connection (DBP-11.9)
    this.#complaint = text;
    this.#log(`the arena says error ${code}: ${JSON.stringify(text)}`);
  }

  #part({ why = "done" }) {
    this.#withdraw();
    if (AGAIN.has(why)) {
      this.#tell(`the arena at ${this.#where} says bye: ${why}`);
      this.#hangUp(this.#afterBye.next());
    } else {
      this.#end(why === "done" ? undefined : new SentAway(why, this.#complaint));
    }
  }

  // --- what the bot says ----------------------------------------------------------------------------------------

  #done(job, answer) {
    if (this.#job !== job) return; // nobody waits for it any longer
    this.#job = null;
    this.#answer = answer;
    if (this.#open !== job.id) return; // it is given when the question is put again
    this.#open = null;
    this.#say(answer);
  }

  #failed(job, fault) {
    if (this.#ended && job.id === null) this.fault = fault;
    if (this.#ended || (job.signal.aborted && fault?.name === "AbortError")) return;
    if (this.#greeted) {
      this.#say({ t: "error", id: job.id ?? undefined, code: "exception", text: "the bot has failed" });
    }
    this.#leave(fault ?? new Error("the bot has failed"));
  }

  #report(job, info) {
    if (this.#job !== job || this.#open !== job.id || !this.#reports) return false;
    this.#say(info);
    return true;
  }
}
