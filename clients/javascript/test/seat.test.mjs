// Join files (DBP-11.13).
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, parseSeat, readSeat } from "../src/index.js";

const KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";
const HERE = 'endpoint = "ipc://run/a.sock"\n';
const keys = `server_key = "${KEY}"\npublic_key = "${KEY}"\nsecret_key = "${KEY}"\n`;

test("a join file is read", () => {
  const text = "# a comment\r\nname = \"al \\\"ice\\\\\" # me\r\n\nendpoint='tcp://[::1]:7464'\ntoken = \"a-b_c\"\n";
  assert.deepEqual(parseSeat(text), { endpoint: "tcp://[::1]:7464", name: 'al "ice\\', token: "a-b_c" });
  assert.deepEqual(parseSeat(`endpoint = "tcp://arena.example:7464"\n${keys}`), {
    endpoint: "tcp://arena.example:7464", serverKey: KEY, publicKey: KEY, secretKey: KEY,
  });
});

test("what is no join file is refused, and no secret is told", () => {
  for (const text of [
    "",
    'name = "alice"',
    'endpoint = "tcp://arena.example:7464"',
    HERE + HERE,
    HERE + 'colour = "red"',
    HERE + "token = secret",
    HERE + 'token = "two secret words"',
    HERE + 'token = ""',
    HERE + 'token = "a" "b"',
    HERE + 'token = "a\\nb"',
    HERE + `server_key = "${KEY}"`,
    HERE + keys.replace(`secret_key = "${KEY}"`, 'secret_key = "secret"'),
  ]) {
    const isQuiet = (fault) => fault instanceof ConfigError && !/secret( words)?"/.test(fault.message);
    assert.throws(() => parseSeat(text), isQuiet, text);
  }
  assert.throws(() => readSeat("/no/such/file"), ConfigError);
});
