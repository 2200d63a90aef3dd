import type { Capabilities } from "@muster/schema/wire";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { usualCapabilities } from "../install/usual-capabilities.ts";
import { claudeCredentials } from "./credentials.ts";
import { claudeRelease } from "./release.ts";
import { agentModes } from "./wire/modes.ts";

const capabilities: Capabilities = {
  ...usualCapabilities,
  toolOutputDeltas: false,
  structuredOutput: true,
};

/** Claude Code: one kept-open process per session, JSON lines both ways. */
export const claude: Adapter = defineAdapter({
  release: claudeRelease,
  credentials: claudeCredentials,
  capabilities,
  check: async (settings) => (await import("./options.ts")).checkSettings(settings),
  models: async (host) => (await import("./models.ts")).listModels(host),
  modes: async () => agentModes,
  fork: async (host, options, at) => (await import("./rewind/fork.ts")).forkClaude(host, options, at),
  importHistory: async (host, options, history) =>
    (await import("./history/import.ts")).importClaude(host, options, history),
  async open(host, options) {
    const [{ checkModel }, { openClaude }] = await Promise.all([import("./models.ts"), import("./run/process.ts")]);
    await checkModel(host, options);
    return openClaude(host, options);
  },
});
