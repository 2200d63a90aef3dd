import type { Capabilities } from "@muster/schema/wire";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { usualCapabilities } from "../install/usual-capabilities.ts";
import { mockCredentials } from "./credentials.ts";
import { models, modes } from "./models.ts";
import { mockRelease } from "./release.ts";

const capabilities: Capabilities = {
  ...usualCapabilities,
  gateway: false,
  mcp: false,
  sharedServer: true,
  live: ["model", "permissionMode"],
};

/** An agent without a model that does what its prompts say: `help` lists them. */
export const mock: Adapter = defineAdapter({
  release: mockRelease,
  credentials: mockCredentials,
  capabilities,
  check: async (settings) => (await import("./options.ts")).checkSettings(settings),
  models: async () => models,
  modes: async () => modes,
  fork: async (host, options, at) => (await import("./rewind/fork.ts")).forkMock(host, options, at),
  open: async (host, options) => (await import("./run/process.ts")).openMock(host, options),
});
