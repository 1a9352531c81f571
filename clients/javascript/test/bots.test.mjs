// The minimal bot against the golden messages of a referee, and the command line of the sample.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Arena, end, game, turn } from "./arena.mjs";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const golden = readFileSync(here("../../protocol/vectors/messages.jsonl"), "ascii")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
  .filter(({ from, message }) => from === "referee" && message.t !== "bye");

/** What the minimal bot says to these lines. */
function answers(lines, encoding = "latin1") {
  const input = Buffer.from(lines.join("\n") + "\n", encoding);
  const run = spawnSync(process.execPath, [here("minimal.mjs")], { input, encoding: "latin1" });
  assert.equal(run.stderr, "");
  assert.equal(run.status, 0);
  const [hello, ...rest] = run.stdout.split("\n");
  assert.equal(hello, "hello donuts=1-1 name=js-random");
  assert.equal(rest.pop(), "", "the last line is whole");
  return rest;
}

test("the minimal bot answers every question of the golden messages, and nothing else", () => {
  const said = answers(golden.map(({ text }) => text));
  for (const { message } of golden) {
    const { t, id, legal } = message;
    if (t === "game") assert.equal(said.shift(), `ready ${id}`);
    if (t === "ping") assert.equal(said.shift(), `pong ${id}`);
    if (t === "turn") {
      const [verb, answered, square, ...rest] = said.shift().split(" ");
      assert.deepEqual([verb, answered, rest], ["move", String(id), []]);
      assert.ok(legal.includes(square), `${square} is legal`);
    }
  }
  assert.deepEqual(said, []);
});

test("the minimal bot goes on after what it cannot read, and leaves at bye", () => {
  const refusals = readFileSync(here("../../protocol/vectors/refusals.jsonl"), "ascii")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ from, encoding }) => from === "referee" && encoding === "text")
    .map(({ hex }) => Buffer.from(hex, "hex").toString("latin1"))
    .filter((line) => !line.startsWith("bye"));
  assert.ok(refusals.length > 0);
  const said = answers([...refusals, "ping 7", "bye why=done", "ping 8"]);
  assert.equal(said.at(-1), "pong 7");
});

test("the minimal bot leaves at bye, though its input stays open", async () => {
  const child = spawn(process.execPath, [here("minimal.mjs")], { stdio: ["pipe", "ignore", "inherit"] });
  after(() => child.kill());
  child.stdin.write("bye why=done\n");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

const sample = (...words) => spawnSync(process.execPath, [here("sample.mjs"), ...words], { encoding: "utf8" });

test("the sample says in one line what is wrong with its command line", () => {
  for (const words of [
    [],
    ["--connect", "tcp://127.0.0.1:1", "--seat-file", "x"],
    ["--connect", "tcp://127.0.0.1:1", "--games", "none"],
    ["--colour", "red"],
    ["--connect", "tcp://192.0.2.1:7464"],
    ["--seat-file", "/no/such/file"],
  ]) {
    const run = sample(...words);
    assert.equal(run.status, 2, words.join(" "));
    assert.match(run.stderr, /^[^\n]+\n$/);
  }
});

test("the sample plays and leaves, and is sent away with status 3", async () => {
  const there = await new Arena().bind();
  const run = (...words) => {
    const command = [here("sample.mjs"), "--connect", there.endpoint, ...words];
    const child = spawn(process.execPath, command, { stdio: "ignore" });
    after(() => child.kill());
    return once(child, "exit");
  };
  const played = run("--games", "1", "--name", "one");
  assert.equal((await there.greet()).name, "one");
  await there.say(game);
  await there.heard({ t: "ready", id: 731 });
  await there.say(turn);
  assert.ok(turn.legal.includes((await there.heard()).sq));
  await there.say(end);
  await there.heard({ t: "bye" });
  assert.deepEqual(await played, [0, null]);
  const sent = run();
  await there.greet();
  await there.say({ t: "bye", why: "replaced" });
  assert.deepEqual(await sent, [3, null]);
});
