import { type Capabilities, PermissionMode } from "@muster/schema";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { claudeCredentials } from "./credentials.ts";
import { checkSettings } from "./options.ts";
import { agentModes } from "./read/modes.ts";
import { claudeRelease } from "./release.ts";

const capabilities: Capabilities = {
  deltas: true,
  reasoning: true,
  permissions: true,
  questions: true,
  planApproval: true,
  steer: true,
  interrupt: true,
  resume: true,
  images: true,
  mcp: true,
  subagents: true,
  todos: true,
  cost: true,
  sharedServer: false,
  permissionModes: [...PermissionMode.options],
};

/** Claude Code: one kept-open process per session, JSON lines both ways. */
export const claude: Adapter = defineAdapter({
  release: claudeRelease,
  credentials: claudeCredentials,
  capabilities,
  live: new Set(["model", "agentMode", "variant", "permissionMode"]),
  check: checkSettings,
  models: async (host) => (await import("./models.ts")).listModels(host),
  modes: async () => agentModes,
  async open(host, options) {
    const [{ checkModel }, { openClaude }] = await Promise.all([import("./models.ts"), import("./run/process.ts")]);
    await checkModel(host, options);
    return openClaude(host, options);
  },
});
