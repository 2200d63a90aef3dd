/**
 * A gateway as a process of its own, to be killed: `spending-daemon.mjs <ledger> <address of the provider> <budget in dollars>`.
 * Each line on stdin is a session that asks once; what becomes of it is printed.
 */
import { createInterface } from "node:readline";
import { startGateway } from "../../dist/index.js";

const [ledgerFile, baseUrl, budgetUsd] = process.argv.slice(2);
const spent = {
  requests: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  listNanoUsd: 0,
};
const gateway = await startGateway({
  ledgerFile,
  budgetUsd: Number(budgetUsd),
  env: {},
  log: (_, message) => process.stdout.write(`log ${message}\n`),
  sessions: {
    account: () => ({ limits: {}, budgetGroup: "g", spent }),
    byNativeId: () => undefined,
    nativeIdOf: () => undefined,
    began: async () => {},
    settled: () => {},
    warned: () => {},
    stopped: () => {},
  },
});
process.stdout.write("ready\n");
for await (const sessionId of createInterface({ input: process.stdin })) {
  const own = { baseUrl, token: "sk-real" };
  const access = gateway.access({ agent: "claude", provider: "anthropic", holder: { sessionId }, own, found: {} });
  const body = JSON.stringify({ model: "claude-sonnet-4-5", stream: true, messages: ["x".repeat(4_000)] });
  const headers = { "x-api-key": access.token };
  fetch(`${access.baseUrl}/v1/messages`, { method: "POST", headers, body }).then(
    async (answer) => process.stdout.write(`${sessionId} ${answer.status} ${(await answer.text()).length}\n`),
    () => {},
  );
}
