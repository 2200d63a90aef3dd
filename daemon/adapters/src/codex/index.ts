import { type Capabilities, permissionModes } from "@muster/schema/wire";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { codexCredentials } from "./credentials.ts";
import { codexRelease } from "./release.ts";

const capabilities: Capabilities = {
  questions: true,
  permissions: true,
  /** Codex proposes plans as items; it does not wait for an answer to them. */
  planApproval: false,
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
  cost: false,
  images: true,
  attachments: true,
  mcp: true,
  systemPrompt: true,
  structuredOutput: false,
  sharedServer: true,
  live: ["model", "agentMode", "variant", "permissionMode"],
  permissionModes: [...permissionModes],
};

/** Codex through its app-server: threads of one process, JSON-RPC over its pipes. */
export const codex: Adapter = defineAdapter({
  release: codexRelease,
  credentials: codexCredentials,
  capabilities,
  check: async (settings) => (await import("./options.ts")).checkSettings(settings),
  models: async (host) => (await import("./models.ts")).codexModels(host),
  modes: async () => (await import("./options.ts")).codexModes,
  open: async (host, options) => (await import("./run/process.ts")).openCodex(host, options),
});
