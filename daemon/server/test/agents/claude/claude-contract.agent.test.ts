import { realAgentContract } from "../agent-contract.ts";

await realAgentContract("claude", { token: "sk-ant-test-000" });
