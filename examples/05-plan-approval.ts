// An agent that plans, and waits for leave to begin. npm run example 05 ts
import { SandboxDaemon } from "@muster/client";

const { SANDBOX_DAEMON_ENDPOINT: endpoint = "http://127.0.0.1:2468", SANDBOX_DAEMON_TOKEN: token } = process.env;
const daemon = SandboxDaemon.connect({ endpoint, token });
const options = { agent: process.env.AGENT ?? "mock", permissionMode: "plan" } as const;
const session = daemon.session(`plan-${Date.now()}`, options);

session.onPlan(({ questions: [plan] }) => {
  console.log(`${plan?.body}\napproved`);
  return "approve"; // or "approve_edits", "reject", { feedback: "what should be different" }
});
console.log(await session.ask("plan"));
