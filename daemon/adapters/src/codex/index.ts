import type { Capabilities } from "@muster/schema/wire";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { usualCapabilities } from "../install/usual-capabilities.ts";
import { codexCredentials } from "./credentials.ts";
import { codexRelease } from "./release.ts";

const capabilities: Capabilities = {
  ...usualCapabilities,
  /** Codex proposes plans as items; it does not wait for an answer to them. */
  planApproval: false,
  toolInputDeltas: false,
  sharedServer: true,
};

/** Codex through its app-server: threads of one process, JSON-RPC over its pipes. */
export const codex: Adapter = defineAdapter({
  release: codexRelease,
  credentials: codexCredentials,
  capabilities,
  check: async (settings) => (await import("./options.ts")).checkSettings(settings),
  models: async (host) => (await import("./models.ts")).codexModels(host),
  modes: async () => (await import("./options.ts")).codexModes,
  fork: async (host, options, at) => (await import("./rewind/fork.ts")).forkCodex(host, options, at),
  importHistory: async (host, options, history) =>
    (await import("./history/import.ts")).importCodex(host, options, history),
  open: async (host, options) => (await import("./run/process.ts")).openCodex(host, options),
});
