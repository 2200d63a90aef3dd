import type { Adapter } from "./adapter.ts";
import { claude } from "./claude/index.ts";
import { codex } from "./codex/index.ts";
import { mock } from "./mock/index.ts";
import { opencode } from "./opencode/index.ts";

/** Every agent there is, by its id. Adding an agent is adding its folder and a line here. */
export const adapters: Readonly<Record<string, Adapter>> = { claude, codex, mock, opencode };

export type { Adapter, AgentOutput, AgentSession, InstallProgress, OpenOptions } from "./adapter.ts";
export { AgentStartFailure } from "./adapter.ts";
export type { Command } from "./commands.ts";
export type { Resume } from "./converter/converter.ts";
export { discoveredSecrets, listCredentials } from "./credentials/credential-list.ts";
export { surroundingsOf } from "./credentials/discovery.ts";
export { checkToken } from "./credentials/token-check.ts";
export type { AgentHost, AgentUser } from "./host.ts";
export type { Installable } from "./install/installable.ts";
export type { InstallSettings } from "./install/settings.ts";
export { agentCredentials, installables } from "./installables.ts";
export { type ReapedLife, reapOrphans } from "./process/reap-orphans.ts";
export { SharedServers } from "./shared-server/shared-servers.ts";
export type {
  AgentExited,
  PermissionAsked,
  PermissionDecided,
  QuestionAsked,
  Signal,
  TurnFinished,
} from "./signals.ts";
