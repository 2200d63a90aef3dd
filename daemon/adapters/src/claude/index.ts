import { type Capabilities, permissionModes } from "@muster/schema/wire";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { claudeCredentials } from "./credentials.ts";
import { claudeRelease } from "./release.ts";
import { agentModes } from "./wire/modes.ts";

const capabilities: Capabilities = {
  questions: true,
  permissions: true,
  planApproval: true,
  interrupt: true,
  steer: true,
  resume: true,
  models: true,
  modes: true,
  variants: true,
  reasoning: true,
  deltas: true,
  toolInputDeltas: true,
  toolOutputDeltas: false,
  diffs: true,
  todos: true,
  subagents: true,
  usage: true,
  cost: true,
  images: true,
  attachments: true,
  mcp: true,
  systemPrompt: true,
  structuredOutput: true,
  sharedServer: false,
  live: ["model", "agentMode", "variant", "permissionMode"],
  permissionModes: [...permissionModes],
};

/** Claude Code: one kept-open process per session, JSON lines both ways. */
export const claude: Adapter = defineAdapter({
  release: claudeRelease,
  credentials: claudeCredentials,
  capabilities,
  check: async (settings) => (await import("./options.ts")).checkSettings(settings),
  models: async (host) => (await import("./models.ts")).listModels(host),
  modes: async () => agentModes,
  async open(host, options) {
    const [{ checkModel }, { openClaude }] = await Promise.all([import("./models.ts"), import("./run/process.ts")]);
    await checkModel(host, options);
    return openClaude(host, options);
  },
});
