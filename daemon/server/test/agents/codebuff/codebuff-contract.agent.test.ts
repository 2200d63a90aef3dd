import { realAgentContract } from "../agent-contract.ts";

await realAgentContract("codebuff", { token: "sk-ant-test-000" });
