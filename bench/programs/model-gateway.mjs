/** The model gateway as a process of its own, with a session under a budget: `model-gateway.mjs <provider> <folder>`. */
import { join } from "node:path";
import { startGateway } from "../../daemon/gateway/dist/index.js";

const [baseUrl, folder] = process.argv.slice(2);
const spent = {
  requests: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  listNanoUsd: 0,
};
const account = { limits: { budgetUsd: 1_000_000, budgetTokens: 1e12 }, spent };
const gateway = await startGateway({
  ledgerFile: join(folder, "ledger.jsonl"),
  budgetUsd: 1_000_000,
  env: {},
  log: () => {},
  sessions: {
    account: () => account,
    byNativeId: () => undefined,
    nativeIdOf: () => undefined,
    began: async () => {},
    settled: () => {},
    warned: () => {},
    stopped: () => {},
  },
});
const own = { baseUrl, token: "sk-real" };
const { token } = gateway.access({
  agent: "claude",
  provider: "anthropic",
  holder: { sessionId: "s1" },
  own,
  found: {},
});
process.stdout.write(`key ${token}\ngateway listens on ${gateway.url}\n`);
process.once("SIGTERM", () => process.exit(0));
