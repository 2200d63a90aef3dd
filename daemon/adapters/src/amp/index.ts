import type { Capabilities } from "@muster/schema/wire";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { usualCapabilities } from "../install/usual-capabilities.ts";
import { ampCredentials } from "./credentials.ts";
import { ampRelease } from "./release.ts";

const capabilities: Capabilities = {
  ...usualCapabilities,
  questions: false,
  planApproval: false,
  models: false,
  variants: false,
  reasoning: false,
  deltas: false,
  toolInputDeltas: false,
  toolOutputDeltas: false,
  cost: false,
  gateway: false,
  images: false,
  systemPrompt: false,
  live: [],
  permissionModes: ["default", "acceptEdits", "bypass"],
};

/** Amp: one kept-open process per session, JSON lines both ways; an interrupt ends the process, the next message starts another. */
export const amp: Adapter = defineAdapter({
  release: ampRelease,
  credentials: ampCredentials,
  capabilities,
  // Nothing is told while the model thinks and writes.
  limits: { turnIdleMs: 30 * 60_000 },
  check: async (settings) => (await import("./options.ts")).checkSettings(settings),
  models: async () => [],
  modes: async (host) => (await import("./models.ts")).listModes(host),
  open: async (host, options) => (await import("./run/process.ts")).openAmp(host, options),
});
