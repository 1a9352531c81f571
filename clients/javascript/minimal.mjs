// A whole bot for DONUTS: it plays a random legal square. Nothing but Node is needed.
import { createInterface } from "node:readline";

const say = (line) => process.stdout.write(line + "\n");

say("hello donuts=1-1 name=js-random");
for await (const line of createInterface({ input: process.stdin })) {
  const [verb, id, ...rest] = line.split(" ");
  const fields = Object.fromEntries(rest.map((field) => field.split("=")));
  const legal = (fields.legal ?? "").split(",");
  if (verb === "turn" && legal[0]) say(`move ${id} ${legal[Math.floor(Math.random() * legal.length)]}`);
  else if (verb === "game") say(`ready ${id}`);
  else if (verb === "ping") say(`pong ${id}`);
  else if (verb === "bye") process.exit();
}
