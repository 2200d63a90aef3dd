// An agent that wants to know something. npm run example 04 ts
import { SandboxDaemon } from "@muster/client";

const { SANDBOX_DAEMON_ENDPOINT: endpoint = "http://127.0.0.1:2468", SANDBOX_DAEMON_TOKEN: token } = process.env;
const daemon = SandboxDaemon.connect({ endpoint, token });
const session = daemon.session(`question-${Date.now()}`, { agent: process.env.AGENT ?? "mock" });

session.onQuestion(({ questions }) => {
  for (const { question } of questions) console.log(`${question} Blue`);
  return { answers: questions.map(() => ["Blue"]) }; // labels or ids of options, or own words; "reject" declines
});
console.log(await session.ask("question"));
