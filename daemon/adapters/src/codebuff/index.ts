import { type Capabilities, PermissionMode } from "@muster/schema";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { codebuffCredentials } from "./credentials.ts";
import { checkSettings } from "./options.ts";
import { agentModes } from "./read/modes.ts";
import { codebuffRelease } from "./release.ts";

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

/** Codebuff, our own agent: one kept-open process per session, JSON lines both ways. */
export const codebuff: Adapter = defineAdapter({
  release: codebuffRelease,
  credentials: codebuffCredentials,
  capabilities,
  live: new Set(["model", "agentMode", "variant", "permissionMode"]),
  check: checkSettings,
  models: async (host) => (await import("./models.ts")).listModels(host),
  modes: async () => [...agentModes],
  open: async (host, options) => (await import("./run/process.ts")).openCodebuff(host, options),
});
