import { type Capabilities, permissionModes } from "@muster/schema/wire";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { codebuffCredentials } from "./credentials.ts";
import { codebuffRelease } from "./release.ts";
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
  toolInputDeltas: false,
  toolOutputDeltas: true,
  diffs: true,
  todos: true,
  subagents: true,
  usage: true,
  cost: true,
  images: true,
  attachments: true,
  mcp: true,
  systemPrompt: true,
  structuredOutput: false,
  sharedServer: false,
  live: ["model", "agentMode", "variant", "permissionMode"],
  permissionModes: [...permissionModes],
};

/** Codebuff, our own agent: one kept-open process per session, JSON lines both ways. */
export const codebuff: Adapter = defineAdapter({
  release: codebuffRelease,
  credentials: codebuffCredentials,
  capabilities,
  keepsBudget: true,
  check: async (settings) => (await import("./options.ts")).checkSettings(settings),
  models: async (host) => (await import("./models.ts")).listModels(host),
  modes: async () => [...agentModes],
  open: async (host, options) => (await import("./run/process.ts")).openCodebuff(host, options),
});
