import { type Capabilities, PermissionMode } from "@muster/schema";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { codexCredentials } from "./credentials.ts";
import { checkSettings, codexModes } from "./options.ts";
import { codexRelease } from "./release.ts";

const capabilities: Capabilities = {
  deltas: true,
  reasoning: true,
  permissions: true,
  questions: true,
  /** Codex proposes plans as items; it does not wait for an answer to them. */
  planApproval: false,
  steer: true,
  interrupt: true,
  resume: true,
  images: true,
  mcp: true,
  subagents: true,
  todos: true,
  cost: false,
  sharedServer: true,
  permissionModes: [...PermissionMode.options],
};

/** Codex through its app-server: threads of one process, JSON-RPC over its pipes. */
export const codex: Adapter = defineAdapter({
  release: codexRelease,
  credentials: codexCredentials,
  capabilities,
  live: new Set(["model", "agentMode", "variant", "permissionMode"]),
  check: checkSettings,
  models: async (host) => (await import("./models.ts")).codexModels(host),
  modes: async () => codexModes,
  open: async (host, options) => (await import("./run/process.ts")).openCodex(host, options),
});
