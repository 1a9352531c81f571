// A bot at an arena: games, sessions, lost connections, and what each end of it comes out as.
import assert from "node:assert/strict";
import { test } from "node:test";
import { curveKeyPair } from "zeromq";
import { ConfigError, SentAway, play } from "../src/index.js";
import { Arena, SESSION, bot, end, game, playing, turn, welcome } from "./arena.mjs";

const arena = (encoding) => new Arena(encoding).bind();
const deferred = () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};

for (const encoding of ["msgpack", "text"]) {
  test(`a game over ${encoding}`, async () => {
    const there = await arena(encoding);
    const player = bot(() => ({ sq: "e3", eval: 480, proof: "draw" }));
    const seat = { endpoint: there.endpoint, name: "al ice", token: "secret" };
    const over = playing(there, player, { games: 1, tc: "10+0.1", version: "2", seat });
    assert.deepEqual(await there.greet(), {
      t: "hello", donuts: "1-1", name: "al ice", ver: "2", seat: "secret", tc: "10+0.1",
    });
    await there.say({ t: "ping", id: 730 });
    await there.heard({ t: "pong", id: 730 });
    await there.say(game);
    await there.heard({ t: "ready", id: 731 });
    await there.say(turn);
    await there.heard({ t: "move", id: 732, sq: "e3", eval: 480, proof: "draw" });
    await there.say(end);
    await there.heard({ t: "bye" });
    await over;
    assert.deepEqual(player.heard, [game, end]);
  });
}

test("null resigns", async () => {
  const there = await arena();
  playing(there, bot(() => null));
  await there.greet();
  await there.say(turn);
  await there.heard({ t: "resign", id: 732 });
});

test("reports are sent where they were granted", async (t) => {
  t.mock.method(performance, "now", () => 1000); // no time passes
  const there = await arena();
  const reported = [];
  playing(there, bot((_, { report }) => {
    reported.push(report({ depth: 3 }), report({ depth: 4 }));
    return "c1";
  }), { info: true });
  assert.deepEqual((await there.heard()).caps, ["info"]);
  await there.say({ ...welcome, caps: ["info"] }, turn);
  await there.heard({ t: "info", id: 732, depth: 3 });
  await there.heard({ t: "move", id: 732, sq: "c1" });
  assert.deepEqual(reported, [true, false], "the second came too early");
});

test("a session is taken up again after silence, and a turn that was answered gets the same answer", async () => {
  const there = await arena();
  let thought = 0;
  playing(there, bot(() => ["c1", "e3"][thought++]), { silence: 4000 }); // nothing holds the arena up as long as that
  await there.greet();
  await there.say(game);
  await there.heard();
  await there.say(turn);
  await there.heard({ t: "move", id: 732, sq: "c1" });
  const [before] = [there.peer];
  await there.greet(SESSION);
  assert.notDeepEqual(there.peer, before, "on a fresh connection");
  await there.say({ ...turn, resend: 1, limit: 500 });
  await there.heard({ t: "move", id: 732, sq: "c1" });
  assert.equal(thought, 1);
});

test("error code=hello: it dials again at once, and gives the answer it has thought of meanwhile", async () => {
  const there = await arena();
  const choice = deferred();
  const asked = deferred();
  playing(there, bot(() => (asked.resolve(), choice.promise)));
  await there.greet();
  await there.say(turn);
  await asked.promise;
  await there.say({ t: "error", code: "hello" });
  await there.greet(SESSION);
  choice.resolve("f4");
  await there.say({ ...turn, resend: 1 });
  await there.heard({ t: "move", id: 732, sq: "f4" });
});

test("an arena that is started anew is found again, and a new session forgets the old game", async () => {
  const there = await arena();
  const player = bot();
  playing(there, player, { games: 1 });
  await there.greet();
  await there.say(game);
  await there.heard();
  there.close();
  const next = await new Arena().bind(there.endpoint);
  assert.equal((await next.heard()).session, SESSION);
  await next.say({ ...welcome, session: "another" }, { ...end }, { ...game, id: 5 });
  await next.heard({ t: "ready", id: 5 });
  assert.deepEqual(player.heard, [game, { ...game, id: 5 }], "the end of a game that it does not know is no end");
});

test("cancel: the bot learns of it, and its answer is not sent", async () => {
  const there = await arena();
  const aborted = deferred();
  playing(there, bot((_, { signal }) => new Promise((resolve) => {
    signal.addEventListener("abort", () => (aborted.resolve(), resolve("c1")));
  })));
  await there.greet();
  await there.say(turn, { t: "cancel", id: 732, why: "timeout" });
  await aborted.promise;
  await there.say({ t: "ping", id: 733 });
  await there.heard({ t: "pong", id: 733 });
});

test("drain: it dials in again by itself", async () => {
  const there = await arena();
  const lines = [];
  playing(there, bot(), { log: (line) => lines.push(line) });
  await there.greet();
  await there.say({ t: "bye", why: "drain" });
  await there.greet(SESSION);
  assert.match(lines.join("\n"), /says bye: drain; dialling again/);
});

test("done ends it", async () => {
  const there = await arena();
  const over = playing(there, bot());
  await there.greet();
  await there.say({ t: "bye", why: "done" });
  await over;
});

for (const why of ["seat", "replaced", "kicked", "benched", "version", "of_a_later_edition"]) {
  test(`${why} ends it with an error`, async () => {
    const there = await arena();
    const over = playing(there, bot());
    await there.greet();
    await there.say({ t: "error", code: "why", text: "because" }, { t: "bye", why });
    await assert.rejects(over, (fault) => {
      assert.ok(fault instanceof SentAway);
      assert.match(fault.message, new RegExp(`^the arena says bye: ${why} \\("because"\\)`));
      return fault.why === why && fault.text === "because";
    });
  });
}

test("what the bot throws comes out, and the arena is told", async () => {
  const there = await arena();
  const over = playing(there, bot(() => {
    throw new TypeError("oh no");
  }));
  await there.greet();
  await there.say(turn);
  await there.heard({ t: "error", id: 732, code: "exception", text: "the bot has failed" });
  await there.heard({ t: "bye" });
  await assert.rejects(over, { name: "TypeError", message: "oh no" });
});

for (const [choice, fault] of [["a1", /a1.*c1 e3 f4/], [undefined, /undefined/], [{ sq: "c1", eval: 2000 }, /eval/]]) {
  test(`no answer is ${JSON.stringify(choice)}`, async () => {
    const there = await arena();
    const over = playing(there, bot(() => choice));
    await there.greet();
    await there.say(turn);
    assert.equal((await there.heard()).t, "error");
    await assert.rejects(over, { message: fault });
  });
}

test("what finish throws after the last game comes out too", async () => {
  const there = await arena();
  const player = bot();
  player.finish = () => Promise.reject(new RangeError("lost count"));
  const over = playing(there, player, { games: 1 });
  await there.greet();
  await there.say(game);
  await there.heard();
  await there.say(end);
  await assert.rejects(over, { message: "lost count" });
});

test("noise, several frames and verbs of a later edition are survived", async () => {
  const there = await arena("text");
  playing(there, bot());
  await there.greet();
  await there.frame("ping", "7");
  await there.frame("ponder 7");
  await there.frame("ping x");
  await there.heard({ t: "error", code: "protocol", text: "a message of yours could not be used" });
  await there.say({ t: "ping", id: 8 });
  await there.heard({ t: "pong", id: 8 });
});

test("a signal makes it say bye, and comes out", async () => {
  const there = await arena();
  const gone = new AbortController();
  const over = playing(there, bot(), { signal: gone.signal });
  await there.greet();
  await there.say({ t: "ping", id: 8 });
  await there.heard();
  gone.abort(new Error("enough"));
  await there.heard({ t: "bye" });
  await assert.rejects(over, { message: "enough" });
});

test("CURVE", async () => {
  const server = curveKeyPair();
  const own = curveKeyPair();
  const there = await new Arena("msgpack", { curveServer: true, curveSecretKey: server.secretKey }).bind();
  const keys = { serverKey: server.publicKey, publicKey: own.publicKey, secretKey: own.secretKey };
  const over = playing(there, bot(), { seat: { endpoint: there.endpoint, name: "alice", ...keys } });
  await there.greet();
  await there.say({ t: "bye", why: "done" });
  await over;
});

test("what cannot be dialled is a ConfigError", async () => {
  for (const options of [
    { seat: { endpoint: "" }, name: "a" },
    { seat: { endpoint: "tcp://127.0.0.1" }, name: "a" },
    { seat: { endpoint: "pigeon://roof" }, name: "a" },
    { seat: { endpoint: "tcp://192.0.2.1:7464" }, name: "a" },
    { seat: { endpoint: "tcp://127.0.0.1:7464", serverKey: "short" }, name: "a" },
    { seat: { endpoint: "tcp://127.0.0.1:7464" } },
    { seat: { endpoint: "tcp://127.0.0.1:7464" }, name: "a", tc: "slow" },
  ]) {
    await assert.rejects(play(bot(), options), ConfigError, JSON.stringify(options));
  }
});
