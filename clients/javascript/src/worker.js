/** Runs the bot's own methods, one after the other, never two at a time. */
import { encode } from "./messages.js";
import { settled } from "./dealer.js";

/** ms between two reports at least: 20 a second are allowed (DBP-6.10). */
const REPORT_GAP = 50;

/** Something the bot has to do; a question has an id, and whoever put it may withdraw it. */
export class Job {
  #controller = new AbortController();

  constructor(id) {
    this.id = id;
  }

  get signal() {
    return this.#controller.signal;
  }

  withdraw() {
    this.#controller.abort();
  }
}

export class Worker {
  #bot;
  #boss;
  #queue = Promise.resolve();

  /** `boss.done(job, answer)`, `boss.failed(job, fault)` and `boss.report(job, info)` hear what comes of a job. */
  constructor(bot, boss) {
    this.#bot = bot;
    this.#boss = boss;
  }

  prepare(game) {
    return this.#start(game.id, async () => {
      await this.#bot.prepare?.(game);
      return { t: "ready", id: game.id };
    });
  }

  move(turn) {
    return this.#start(turn.id, async (job) => {
      let last = -Infinity;
      const report = (info) => {
        const now = performance.now();
        if (job.signal.aborted || now - last < REPORT_GAP) return false;
        last = now;
        return this.#boss.report(job, { ...info, t: "info", id: turn.id });
      };
      return this.#answer(turn, await this.#bot.move(turn, { signal: job.signal, report }));
    });
  }

  /** Resolved when the bot knows how the game went. */
  finish(end) {
    this.#start(null, async () => this.#bot.finish?.(end));
    return this.#queue;
  }

  #start(id, run) {
    const job = new Job(id);
    this.#queue = this.#queue.then(async () => {
      if (id !== null && job.signal.aborted) return;
      try {
        const answer = await run(job);
        await settled(); // a bot that computes does not let the loop turn: is it asked still?
        this.#boss.done(job, answer);
      } catch (fault) {
        this.#boss.failed(job, fault);
      }
    });
    return job;
  }

  /** What the bot's choice is on the wire; throws where it is no answer. */
  #answer(turn, choice) {
    if (choice === null) return { t: "resign", id: turn.id };
    const move = typeof choice === "string" ? { sq: choice } : choice;
    const answer = { ...move, t: "move", id: turn.id };
    if (!turn.legal.includes(answer.sq)) {
      throw new RangeError(`the bot chose ${answer.sq}, and the legal squares are ${turn.legal.join(" ")}`);
    }
    encode(answer); // so that a value out of its bounds is the bot's fault, here
    return answer;
  }
}
