export {
  type AgentDefinitionInput as AgentDefinition,
  AgentOutput as AgentOutputSchema,
  type AgentOutput,
  type Message,
  type PrintModeEvent,
  type RunState,
  type SessionState,
  type ToolOutput,
} from "@muster/codebuff-protocol";
export {
  type ProjectWatch,
  Terminal,
  type WatchOptions,
  watchProject,
} from "@muster/codebuff-workspace";
export { type Author, type MoveResult, Snapshots, SnapshotsUnavailable } from "@muster/snapshots";
export { agentModeName } from "./agent-mode/send-agent-task.ts";
export { isHealthy } from "./backend/backend.ts";
export { BackendLedger } from "./backend/backend-ledger.ts";
export { LocalLedger, type LocalRun } from "./backend/local-ledger.ts";
export { getUserInfoFromApiKey } from "./backend/user-info.ts";
export type { CustomCommand } from "./commands/custom-command.ts";
export { listCommands } from "./commands/read-commands.ts";
export { KNOWLEDGE_FILE_NAMES } from "./load/knowledge.ts";
export {
  type LoadedAgentDefinition,
  type LoadedAgents,
  type LoadLocalAgentsResult,
  loadLocalAgents,
} from "./load/load-agents.ts";
export { type LoadedMCPConfig, loadMCPConfig } from "./load/mcp-config.ts";
export { type ListedRule, listRules, permissionsFile, removeRule, rulesKeeper } from "./load/permission-rules.ts";
export type { ProjectConfig, StartupProcess } from "./load/project-config.ts";
export { projectFile, readProjectConfig } from "./load/project-config.ts";
export { type LoadSkillsOptions, loadSkills, type SkillsMap } from "./load/skills.ts";
export {
  type DecideTrust,
  Trust,
  type TrustDecision,
  type TrustItem,
  type TrustRequest,
  type UntrustedItem,
} from "./load/trust.ts";
export { type ListedModel, listModels } from "./model/list-models.ts";
export { modelTable } from "./model/model-table.ts";
export type { MissingProvider, OwnProvider } from "./model/own-keys.ts";
export {
  MAX_RETRIES_PER_MESSAGE,
  promptAiSdkStream,
  RETRY_BACKOFF_BASE_DELAY_MS,
  RETRY_BACKOFF_MAX_DELAY_MS,
} from "./model/prompt-ai-sdk-stream.ts";
export { resolveModel } from "./model/resolve-model.ts";
export type { Route } from "./model/route.ts";
export { sdkModel } from "./model/sdk-model.ts";
export { findWays, routesFor, usesBackend, type Ways, type WaysOptions } from "./model/ways.ts";
export { connectSubscription, disconnectSubscription, type PendingConnection } from "./oauth/connect.ts";
export { CodebuffClient, type StreamedEvent } from "./run/client.ts";
export type { ListedAgent, PlannedRun, RefusedRun } from "./run/plan-run.ts";
export { SdkError } from "./sdk-error.ts";
export { type SessionEntry, type SessionEntryBody, type SessionHeader, standingOf } from "./sessions/entries.ts";
export { type RecentProject, recentProjects } from "./sessions/recent-projects.ts";
export type { RestoredAs, RestoredSession } from "./sessions/restore-session.ts";
export type { Session } from "./sessions/session.ts";
export type { PageOptions, SessionPage } from "./sessions/session-reader.ts";
export { type ExportFormat, newSessionId, SessionStore, type SessionSummary } from "./sessions/session-store.ts";
export type { NewSession, SessionWriter } from "./sessions/session-writer.ts";
export type { Transcript, TranscriptMessage } from "./sessions/transcript.ts";
export { type Credential, deleteCredential, findCredential, saveCredential } from "./settings/credentials.ts";
export { changeSettings, readSettings, type SettingsChange, type SettingsFile } from "./settings/settings-file.ts";
export { readUserConfig, type UserConfig, userFile } from "./settings/user-config.ts";
export type { AgentModeOptions, CodebuffClientOptions, Logger, RunOptions, StreamChunk } from "./setup/options.ts";
export { validateAgents } from "./setup/prepare-run.ts";
export {
  generateInitialRunState,
  type InitialSessionStateOptions,
  initialSessionState,
  withAdditionalMessage,
  withMessageHistory,
} from "./setup/session-state.ts";
export type { CodebuffFileSystem, CodebuffSpawn, Source } from "./setup/sources.ts";
export { Steering, type SteeringMessage } from "./setup/steering.ts";
export { readTrustItems } from "./setup/trust-items.ts";
export type { Ask, AskPerson } from "./tools/ask-person.ts";
export { type CustomToolDefinition, getCustomToolDefinition } from "./tools/custom-tools.ts";
export type { FileFilter, FileFilterResult } from "./tools/file-filter.ts";
export type { FileChange, OverrideTools } from "./tools/override-tools.ts";
export { runTerminalCommand } from "./tools/run-terminal-command.ts";
