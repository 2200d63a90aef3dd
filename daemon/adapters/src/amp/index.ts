import type { Capabilities } from "@muster/schema";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { ampCredentials } from "./credentials.ts";
import { listModes } from "./models.ts";
import { checkSettings } from "./options.ts";
import { ampRelease } from "./release.ts";
import { openAmp } from "./run/process.ts";

const capabilities: Capabilities = {
  deltas: false,
  reasoning: true,
  permissions: true,
  questions: false,
  planApproval: false,
  steer: true,
  interrupt: true,
  resume: true,
  images: false,
  mcp: true,
  subagents: true,
  todos: true,
  cost: false,
  sharedServer: false,
  permissionModes: ["default", "acceptEdits", "bypass"],
};

/** Amp: one kept-open process per session, JSON lines both ways; an interrupt ends the process, the next message starts another. */
export const amp: Adapter = defineAdapter({
  release: ampRelease,
  credentials: ampCredentials,
  capabilities,
  live: new Set([]),
  // Nothing is told while the model thinks and writes.
  limits: { turnIdleMs: 30 * 60_000 },
  check: checkSettings,
  models: async () => [],
  modes: listModes,
  open: openAmp,
});
