// A reader that leaves in the middle, comes back and misses nothing. npm run example 06 ts
import { SandboxDaemon } from "@muster/client";

const { SANDBOX_DAEMON_ENDPOINT: endpoint = "http://127.0.0.1:2468", SANDBOX_DAEMON_TOKEN: token } = process.env;
const id = `resume-${Date.now()}`;
const seen: number[] = [];

const first = SandboxDaemon.connect({ endpoint, token });
for await (const { sequence, type } of first.session(id, { agent: process.env.AGENT ?? "mock" }).prompt("slow 500")) {
  seen.push(sequence);
  if (type === "item.delta") break; // the turn goes on without a reader
}
await first.close();

const second = SandboxDaemon.connect({ endpoint, token });
for await (const { sequence, type } of second.session(id).events({ after: seen.at(-1) })) {
  seen.push(sequence);
  if (type === "turn.ended") break;
}
const start = seen[0] ?? 0;
console.log(seen.every((sequence, index) => sequence === start + index) ? "every event once" : "something is missing");
