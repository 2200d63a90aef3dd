import { HARNESS_V1_BUILTIN_TOOLS, type HarnessV1, type HarnessV1PermissionMode } from "@ai-sdk/harness";
import type { Client, CreateSession } from "@muster/client";
import { HarnessSession } from "./harness-session.ts";
import { PlaceState } from "./place.ts";

export interface MusterSettings extends Omit<CreateSession, "directory"> {
  /** Of the daemon: `SandboxDaemon.connect({ endpoint, token }).client`. */
  client: Client;
  /** Where the agent works, as the daemon sees it; default: the session's directory in the sandbox, for a daemon inside. */
  directory?: string;
}

/** The framework's modes → ours. Its default is allow-all. */
const permissionModes = {
  "allow-reads": "default",
  "allow-edits": "acceptEdits",
  "allow-all": "bypass",
} as const satisfies Record<HarnessV1PermissionMode, CreateSession["permissionMode"]>;

/**
 * Any agent of the daemon for `HarnessAgent`. The session is the daemon's: it outlives the sandbox, this process and the
 * agent, and its id is the framework's `sessionId`. Tools are the agent's own; the framework knows of one, the questions.
 */
export function muster({ client, ...settings }: MusterSettings) {
  const harnessId = `muster-${settings.agent}`;
  return {
    specificationVersion: "harness-v1",
    harnessId,
    builtinTools: { askUserQuestions: HARNESS_V1_BUILTIN_TOOLS.askUserQuestions },
    supportsBuiltinToolApprovals: true,
    lifecycleStateSchema: PlaceState,
    async doStart({ permissionMode = "allow-all", sessionWorkDir, ...options }) {
      const wanted = {
        ...settings,
        permissionMode: settings.permissionMode ?? permissionModes[permissionMode],
        directory: settings.directory ?? sessionWorkDir,
      };
      return await HarnessSession.open({ client, harnessId, settings: wanted, start: options });
    },
  } satisfies HarnessV1;
}
