import { realAgentContract } from "../agent-contract.ts";

await realAgentContract("codex", { model: "gpt-5.5", token: "sk-codex-test-4711" });
