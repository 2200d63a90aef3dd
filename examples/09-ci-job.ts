// A CI job: when the test fails, an agent mends the code, within a budget: npm run example 09 ts mends a small project; DIRECTORY=… TEST="npm test" takes yours
import { spawnSync } from "node:child_process";
import { SandboxDaemon, TurnFailed } from "@muster/client";

const {
  SANDBOX_DAEMON_ENDPOINT: endpoint = "http://127.0.0.1:2468",
  SANDBOX_DAEMON_TOKEN: token,
  ...env
} = process.env;
const directory = env.DIRECTORY ?? process.cwd();
const runTest = () => spawnSync(env.TEST ?? "npm test", { shell: true, cwd: directory, encoding: "utf8" });

const before = runTest();
if (before.status === 0) process.exit(0);
console.log("the test fails");

const daemon = SandboxDaemon.connect({ endpoint, token });
const session = daemon.session(`ci-${Date.now()}`, {
  agent: env.AGENT ?? "codebuff",
  directory,
  permissionMode: "bypass", // nobody is there to ask: run it where it can do no harm
  limits: { budgetUsd: Number(env.BUDGET_USD ?? 1), turnMs: 15 * 60_000 },
  baseUrl: env.MODEL_URL, // a gateway, if the model is behind one
  token: env.MODEL_TOKEN,
});
const output = (before.stdout + before.stderr).slice(-10_000);
try {
  await session.ask(`This test fails. Mend the code, not the test.\n\n${output}`);
} catch (error) {
  if (!(error instanceof TurnFailed)) throw error;
  console.log(`the agent gave up: ${error.code}`);
}
const { costUsd } = await daemon.client.sessions.get({ sessionId: session.id });
const isMended = runTest().status === 0;
console.log(`${isMended ? "mended" : "not mended"} for $${costUsd.toFixed(4)}`);
process.exit(isMended ? 0 : 1);
