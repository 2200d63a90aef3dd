// An agent that asks before it acts. npm run example 03 ts
import { SandboxDaemon } from "@muster/client";

const { SANDBOX_DAEMON_ENDPOINT: endpoint = "http://127.0.0.1:2468", SANDBOX_DAEMON_TOKEN: token } = process.env;
const daemon = SandboxDaemon.connect({ endpoint, token });
const session = daemon.session(`permission-${Date.now()}`, { agent: process.env.AGENT ?? "mock" });

session.onPermission(({ title }) => {
  console.log(`${title}? once`);
  return "once"; // or "always" for the rest of the session, "reject", undefined to leave it to somebody else
});
console.log(await session.ask("permission touch a"));
