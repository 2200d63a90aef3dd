import type { Adapter } from "./adapter.ts";
import { mock } from "./mock/index.ts";

/** Every agent there is, by its id. Adding an agent is adding its folder and a line here. */
export const adapters: Readonly<Record<string, Adapter>> = { mock };

export type { Adapter, AgentOutput, AgentSession, InstallProgress, OpenOptions } from "./adapter.ts";
export { AgentStartFailure } from "./adapter.ts";
export type { Command } from "./commands.ts";
export type { Resume } from "./converter.ts";
export type { AgentHost, AgentUser } from "./host.ts";
export { type ReapedLife, reapOrphans } from "./reap-orphans.ts";
export { SharedServers } from "./shared-servers.ts";
export type {
  AgentExited,
  PermissionAsked,
  PermissionDecided,
  QuestionAsked,
  Signal,
  TurnFinished,
} from "./signals.ts";
