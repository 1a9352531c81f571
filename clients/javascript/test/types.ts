// Is compiled, never run: what a bot in TypeScript may write, and what it may not.
import type { Bot, Choice, End, PlayOptions, Turn } from "donuts-client";
import { SentAway, decode, encode, play, readSeat } from "donuts-client";

class First implements Bot {
  async move(turn: Turn, { signal, report }: { signal: AbortSignal; report(info: { depth?: number }): boolean }) {
    if (signal.aborted || !report({ depth: 1 })) return null;
    return { sq: turn.legal[0]!, eval: 500, proof: "draw" as const };
  }
}

const least: Bot = { move: ({ legal }): Choice => legal[0] ?? null };
const options: PlayOptions = { seat: readSeat("alice.join.toml"), games: 2, log: console.log };

const played: Promise<void> = play(new First(), options).then(() => play(least, options));
played.catch((fault: unknown) => fault instanceof SentAway && fault.why.toUpperCase());

const message = decode(encode({ t: "pong", id: 7 }), "text");
if (message.t === "turn") {
  const squares: string[] = message.legal;
  const last: string | undefined = message.last;
  console.log(squares, last);
}

// @ts-expect-error: a move needs its square
encode({ t: "move", id: 7 });
// @ts-expect-error: no such verb
encode({ t: "ponder", id: 7 });
// @ts-expect-error: a referee's message, from a bot
encode({ t: "ping", id: 7 }, "text");
// @ts-expect-error: a side is x or o
export const winner: End["winner"] = "z";
// @ts-expect-error: a seat has an endpoint
play(least, { seat: { token: "secret" } });
// @ts-expect-error: a bot answers with a square
play({ move: () => 7 }, options);
// @ts-expect-error: `verb` is not a key of a message
message.verb;
