// Answers each {"ask": id, "text": …} with its text, and ends with its input.
import { createInterface } from "node:readline";

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
say({ hello: "1.0.0" });
for await (const line of createInterface({ input: process.stdin })) {
  const { ask, text } = JSON.parse(line);
  say({ begin: ask });
  if (text === "crash") process.exit(7);
  say({ text });
  say({ end: ask });
}
