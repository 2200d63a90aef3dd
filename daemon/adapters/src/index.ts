import type { Adapter, Agent } from "./adapter.ts";
import { amp } from "./amp/index.ts";
import { claude } from "./claude/index.ts";
import { codebuff } from "./codebuff/index.ts";
import { codex } from "./codex/index.ts";
import { adaptersOf } from "./install/define-agent.ts";
import { mock } from "./mock/index.ts";
import { opencode } from "./opencode/index.ts";

/** Every agent there is, by its id. Adding an agent is adding its folder and a line here. */
export const agents: Readonly<Record<string, Agent | Adapter>> = { claude, codex, opencode, amp, codebuff, mock };

/** Those that can be driven. */
export const adapters: Readonly<Record<string, Adapter>> = adaptersOf(agents);

export type { Adapter, Agent, AgentOutput, AgentSession, InstallProgress, OpenOptions } from "./adapter.ts";
export { AgentStartFailure } from "./adapter.ts";
export type { Command } from "./commands.ts";
export type { Resume } from "./converter/converter.ts";
export { findSecrets, listCredentials } from "./credentials/credential-list.ts";
export { discoveryHost } from "./credentials/discovery.ts";
export { checkToken } from "./credentials/token-check.ts";
export { type ForkedConversation, ForkFailure, type ForkPoint } from "./fork-point.ts";
export type { History, HistoryEntry } from "./history.ts";
export type { AgentHost, AgentUser } from "./host.ts";
export type { InstallSettings } from "./install/release/settings.ts";
export { runOwnProgram } from "./own-programs.ts";
export { childEnvironment, lifeVariable } from "./process/child-environment.ts";
export { canSetDeathSignal, withDeathSignal } from "./process/death-signal.ts";
export { ownProgram } from "./process/own-program.ts";
export { reapOrphans } from "./process/reap-orphans.ts";
export { SharedServers } from "./shared-server/shared-servers.ts";
export type {
  AgentExited,
  PermissionAsked,
  PermissionDecided,
  QuestionAsked,
  Signal,
  TurnFinished,
} from "./signals.ts";
