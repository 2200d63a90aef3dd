import type { ScriptInput } from "@muster/scripted-llm";
import { ampService } from "./amp/amp-home.ts";
import type { TestedAgent } from "./installed-agent.ts";

/** How a session of each real agent is begun on the scripted model. */
export const everyAgent: Readonly<
  Record<TestedAgent, { settings: { token: string; model?: string }; script?: ScriptInput }>
> = {
  claude: { settings: { token: "sk-ant-test-000" } },
  codex: { settings: { token: "sk-codex-test-4711" } },
  opencode: { settings: { token: "sk-ant-test-000", model: "scripted/m1" } },
  codebuff: { settings: { token: "sk-ant-test-000" } },
  amp: { settings: { token: "sgamp_user_test_000" }, script: ampService },
};
