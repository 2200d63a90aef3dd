import { type Capabilities, permissionModes } from "@muster/schema/wire";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { mockCredentials } from "./credentials.ts";
import { models, modes } from "./models.ts";
import { mockRelease } from "./release.ts";

const capabilities: Capabilities = {
  questions: true,
  permissions: true,
  planApproval: true,
  interrupt: true,
  steer: true,
  resume: true,
  models: true,
  modes: true,
  variants: true,
  reasoning: true,
  deltas: true,
  toolInputDeltas: true,
  toolOutputDeltas: true,
  diffs: true,
  todos: true,
  subagents: true,
  usage: true,
  cost: true,
  images: true,
  attachments: true,
  mcp: false,
  systemPrompt: true,
  structuredOutput: false,
  sharedServer: true,
  live: ["model", "permissionMode"],
  permissionModes: [...permissionModes],
};

/** An agent without a model that does what its prompts say: `help` lists them. */
export const mock: Adapter = defineAdapter({
  release: mockRelease,
  credentials: mockCredentials,
  capabilities,
  check: async (settings) => (await import("./options.ts")).checkSettings(settings),
  models: async () => models,
  modes: async () => modes,
  open: async (host, options) => (await import("./run/process.ts")).openMock(host, options),
});
