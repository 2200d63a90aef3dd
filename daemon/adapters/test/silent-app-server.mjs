// Shakes hands like `codex app-server` and never answers anything else.
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") process.stdout.write(`${JSON.stringify({ id, result: { userAgent: "silent" } })}\n`);
  if (method === "ask/me") process.stdout.write(`${JSON.stringify({ id: 0, method: "currentTime/read" })}\n`);
}
