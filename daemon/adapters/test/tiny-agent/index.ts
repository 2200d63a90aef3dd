import type { Adapter } from "../../src/adapter.ts";
import { defineAdapter } from "../../src/install/define-agent.ts";
import { tinyCredentials } from "./credentials.ts";
import { checkSettings } from "./options.ts";
import { tinyRelease } from "./release.ts";
import { openTiny } from "./run/process.ts";

/** The smallest agent there can be: it says what it is told. Shows what an agent costs. */
export const tiny: Adapter = defineAdapter({
  release: tinyRelease,
  credentials: tinyCredentials,
  capabilities: {
    deltas: false,
    reasoning: false,
    permissions: false,
    questions: false,
    planApproval: false,
    steer: false,
    interrupt: false,
    resume: false,
    images: false,
    mcp: false,
    subagents: false,
    todos: false,
    cost: false,
    sharedServer: false,
    permissionModes: ["default"],
  },
  live: new Set(),
  check: checkSettings,
  models: async () => [{ id: "tiny", provider: "tiny", default: true }],
  modes: async () => [],
  open: openTiny,
});
