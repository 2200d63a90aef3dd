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
    questions: false,
    permissions: false,
    planApproval: false,
    interrupt: false,
    steer: false,
    resume: false,
    models: false,
    modes: false,
    variants: false,
    reasoning: false,
    deltas: false,
    toolInputDeltas: false,
    toolOutputDeltas: false,
    diffs: false,
    todos: false,
    subagents: false,
    usage: false,
    cost: false,
    gateway: false,
    images: false,
    attachments: false,
    mcp: false,
    systemPrompt: false,
    structuredOutput: false,
    sharedServer: false,
    live: [],
    permissionModes: ["default"],
  },
  check: async (settings) => checkSettings(settings),
  models: async () => [{ id: "tiny", provider: "tiny", default: true }],
  modes: async () => [],
  open: openTiny,
});
