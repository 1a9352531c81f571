// Checks index.d.ts: with the compiler (a devDependency), against the vectors, and against what is really exported.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as client from "../src/index.js";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const compiler = here("node_modules/typescript/bin/tsc");
const skip = !existsSync(compiler) && "typescript is not installed: npm ci";
const strict = ["--strict", "--noUncheckedIndexedAccess", "--noEmit"];
const modules = ["--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom"];

test("a bot in TypeScript, and the golden messages, have the types that are declared", { skip }, () => {
  const lines = readFileSync(here("../../protocol/vectors/messages.jsonl"), "ascii").trim().split("\n");
  const types = { bot: "BotMessage", referee: "RefereeMessage" };
  const declared = lines
    .map((line) => JSON.parse(line))
    .filter(({ from }) => from in types)
    .map(({ from, message }, at) => `export const m${at}: ${types[from]} = ${JSON.stringify(message)};`);
  const head = 'import type { BotMessage, RefereeMessage } from "donuts-client";';
  const folder = mkdtempSync(here("test/golden-"));
  try {
    const golden = join(folder, "golden.ts");
    writeFileSync(golden, [head, ...declared].join("\n"));
    const files = [here("test/types.ts"), golden];
    const words = [compiler, ...strict, ...modules, ...files];
    const { status, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
    assert.equal(status, 0, stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("what is declared is exported, and nothing else", () => {
  const text = readFileSync(here("src/index.d.ts"), "utf8");
  const declared = new Set([...text.matchAll(/^export (?:const|class|function) (\w+)/gm)].map(([, name]) => name));
  assert.deepEqual(Object.keys(client).sort(), [...declared].sort());
});
