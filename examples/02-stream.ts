// What an agent says, while it says it. npm run example 02 ts
import { SandboxDaemon } from "@muster/client";

const { SANDBOX_DAEMON_ENDPOINT: endpoint = "http://127.0.0.1:2468", SANDBOX_DAEMON_TOKEN: token } = process.env;
const daemon = SandboxDaemon.connect({ endpoint, token });
const session = daemon.session(`stream-${Date.now()}`, { agent: process.env.AGENT ?? "mock" });

for await (const event of session.prompt("reasoning")) {
  if (event.type === "item.delta" && event.data.part === "text") process.stdout.write(event.data.delta);
  if (event.type === "turn.ended") console.log(`\n${event.data.status}`);
}
