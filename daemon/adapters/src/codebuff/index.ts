import type { Capabilities } from "@muster/schema/wire";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { usualCapabilities } from "../install/usual-capabilities.ts";
import { codebuffCredentials } from "./credentials.ts";
import { codebuffRelease } from "./release.ts";
import { agentModes } from "./wire/modes.ts";

const capabilities: Capabilities = {
  ...usualCapabilities,
  toolInputDeltas: false,
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
  fork: async (host, options, at) => (await import("./rewind/fork.ts")).forkCodebuff(host, options, at),
  importHistory: async (host, options, history) =>
    (await import("./history/import.ts")).importCodebuff(host, options, history),
  open: async (host, options) => (await import("./run/process.ts")).openCodebuff(host, options),
});
