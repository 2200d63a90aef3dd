import { type Capabilities, PermissionMode } from "@muster/schema";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { mockCredentials } from "./credentials.ts";
import { models, modes } from "./models.ts";
import { checkSettings } from "./options.ts";
import { mockRelease } from "./release.ts";

const capabilities: Capabilities = {
  deltas: true,
  reasoning: true,
  permissions: true,
  questions: true,
  planApproval: true,
  steer: true,
  interrupt: true,
  resume: true,
  images: true,
  mcp: false,
  subagents: true,
  todos: true,
  cost: true,
  sharedServer: true,
  permissionModes: [...PermissionMode.options],
};

/** An agent without a model that does what its prompts say: `help` lists them. */
export const mock: Adapter = defineAdapter({
  release: mockRelease,
  credentials: mockCredentials,
  capabilities,
  live: new Set(["model", "permissionMode"]),
  check: checkSettings,
  models: async () => models,
  modes: async () => modes,
  open: async (host, options) => (await import("./run/process.ts")).openMock(host, options),
});
