import { realAgentContract } from "../agent-contract.ts";

await realAgentContract("opencode", { model: "scripted/m1", token: "sk-fake-000" });
