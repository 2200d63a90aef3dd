import type { Capabilities } from "@muster/schema";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { ampCredentials } from "./credentials.ts";
import { ampRelease } from "./release.ts";

const capabilities: Capabilities = {
  questions: false,
  permissions: true,
  planApproval: false,
  interrupt: true,
  steer: true,
  resume: true,
  models: false,
  modes: true,
  variants: false,
  reasoning: false,
  deltas: false,
  toolInputDeltas: false,
  toolOutputDeltas: false,
  diffs: true,
  todos: true,
  subagents: true,
  usage: true,
  cost: false,
  images: false,
  attachments: true,
  mcp: true,
  systemPrompt: false,
  structuredOutput: false,
  sharedServer: false,
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
