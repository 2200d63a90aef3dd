import type { Capabilities } from "@muster/schema/wire";
import type { Adapter } from "../adapter.ts";
import { defineAdapter } from "../install/define-agent.ts";
import { usualCapabilities } from "../install/usual-capabilities.ts";
import { opencodeCredentials } from "./credentials.ts";
import { opencodeRelease } from "./release.ts";

const capabilities: Capabilities = {
  ...usualCapabilities,
  planApproval: false,
  sharedServer: true,
  live: [],
};

/** OpenCode: many sessions on one `opencode serve`, calls over HTTP, events over its stream. */
export const opencode: Adapter = defineAdapter({
  release: opencodeRelease,
  credentials: opencodeCredentials,
  capabilities,
  // Everything is checked when a session opens, the rules of the project too; that costs a few requests on its server.
  check: async (settings) => (await import("./options.ts")).checkSettings(settings),
  models: async (host) => (await import("./run/process.ts")).listModels(host),
  modes: async (host) => (await import("./run/process.ts")).listModes(host),
  fork: async (host, options, at) => (await import("./rewind/fork.ts")).forkOpencode(host, options, at),
  importHistory: async (host, options, history) =>
    (await import("./history/import.ts")).importOpencode(host, options, history),
  open: async (host, options) => (await import("./run/process.ts")).openOpencode(host, options),
});
