export { RuntimeAction } from "./actions.ts";
export {
  AgentDefinition,
  type AgentDefinitionInput,
  checkAgentDefinitions,
  McpServer,
  ReasoningOptions,
} from "./agents/agent-definition.ts";
export {
  AgentInitialPromptAction,
  AgentModeCall,
  AgentModeClientMessage,
  AgentModeResult,
  AgentModeRun,
  AgentModeSelf,
  AgentModeServerMessage,
  AgentState,
  agentModeId,
  emptyAgentState,
} from "./agents/agent-mode.ts";
export { AgentOutput, outputText } from "./agents/agent-output.ts";
export {
  emptyRunAgentState,
  FileContext,
  GitChanges,
  RunAgentState,
  RunState,
  rootAgentName,
  SessionState,
  Skill,
  ToolDefinition,
} from "./agents/session-state.ts";
export {
  type HandleSteps,
  PlanMark,
  type PublicAgentState,
  planAnswer,
  type StepLogger,
  type StepReply,
  StepToolCall,
  StepYield,
  stepsText,
} from "./agents/steps.ts";
export { ControlLine, JoinedLine, ReadyLine, RewoundLine } from "./control-lines.ts";
export { FinishStatus, PermissionMark, PrintModeEvent, type PrintModeEventOf, Usage } from "./events.ts";
export { FileChangeHook } from "./file-change-hook.ts";
export { type HookEventName, hookEvents, isHookEventName } from "./hooks/hook-events.ts";
export { HookCommand, HookFile, HookGroup } from "./hooks/hook-settings.ts";
export { JsonResult } from "./json-result.ts";
export { lineSchemas, linesJsonSchema } from "./line-schemas.ts";
export {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from "./messages/history.ts";
export { historyFaults, isBlank } from "./messages/history-faults.ts";
export { estimateTokens, messageTokens, usualCharactersPerToken } from "./messages/tokens.ts";
export { ToolCall, ToolCallResult } from "./messages/tool-call.ts";
export {
  errorOutput,
  interruptedMessage,
  JsonPart,
  MediaPart,
  outputError,
  ToolError,
  ToolOutput,
  ToolOutputPart,
} from "./messages/tool-output.ts";
export { readTypedPrompt, writeCustomCommand, writeHookContext, writeProjectChanges } from "./messages/typed-prompt.ts";
export { type Mode, ModeName, modes, rootAgentId } from "./modes.ts";
export {
  AgentRunsBody,
  CodebuffMetadata,
  DocsSearchBody,
  PublishBody,
  RunStepBody,
  TokenCountBody,
  WebSearchBody,
} from "./server-api.ts";
export {
  type CheckedSettings,
  checkSettings,
  type JsonSchema,
  type SettingsProblem,
} from "./settings/check-settings.ts";
export { PermissionPolicy, PolicyAction, PolicyEffect, PolicyRule } from "./settings/policy-rule.ts";
export {
  type SettingKey,
  type SettingsFileName,
  settingKeys,
  settingsFiles,
  settingsJsonSchema,
} from "./settings/setting-keys.ts";
export {
  builtInThemes,
  ModeSetting,
  OauthConfig,
  PermissionsFile,
  ProjectSettings,
  ProviderConfig,
  StartupProcess,
  UserSettings,
  VariantSetting,
} from "./settings/settings-schema.ts";
export { Question, QuestionAnswers, SpawnRequest, SpawnResult, Subgoal, Todo } from "./tools/agent-tools.ts";
export {
  EditFailure,
  EditResult,
  fileMarkers,
  LineRange,
  PatchOperation,
  PatchResult,
  ReadFile,
  Replacement,
  SubtreeEntry,
} from "./tools/file-tools.ts";
export { CodeSearchResult, DirectoryListing, GlobResult } from "./tools/search-tools.ts";
export { TerminalCall, TerminalResult, TerminalScreen, TerminalStatus } from "./tools/terminal-tools.ts";
export type { ToolEffect } from "./tools/tool-spec.ts";
export {
  type ClientToolName,
  checkToolInput,
  isToolName,
  type ToolInput,
  type ToolName,
  type ToolResult,
  toolEffect,
  toolJsonSchema,
  toolNames,
  toolSpec,
  toolTable,
} from "./tools/tool-table.ts";
