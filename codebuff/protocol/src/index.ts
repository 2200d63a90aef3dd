export { RuntimeAction, ToolCallRequestAction, ToolCallResponseAction } from "./actions.ts";
export {
  AgentDefinition,
  type AgentDefinitionInput,
  type AgentFault,
  checkAgentDefinitions,
  McpServer,
  ProviderOptions,
  ReasoningOptions,
} from "./agents/agent-definition.ts";
export {
  AgentInitialPromptAction,
  AgentInitialPromptAction as AgentInitialPromptActionSchema,
  AgentModeCall,
  AgentModeClientMessage,
  AgentModeResult,
  AgentModeRun,
  AgentModeSelf,
  AgentModeServerMessage,
  AgentState,
  AgentToolResponseAction,
  AgentToolResponseAction as AgentToolResponseActionSchema,
  emptyAgentState,
  OpenCalls,
} from "./agents/agent-mode.ts";
export { AgentOutput, AgentOutput as AgentOutputSchema, outputText } from "./agents/agent-output.ts";
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
  type AuthoredYield,
  type HandleSteps,
  PlanAnswer,
  PlanMark,
  type PublicAgentState,
  planAnswer,
  type StepLogger,
  type StepReply,
  type StepsInput,
  StepToolCall,
  StepYield,
} from "./agents/steps.ts";
export { ControlLine, ReadyLine, UserMessageJoinedLine } from "./control-lines.ts";
export { FinishStatus, PermissionMark, PrintModeEvent, type PrintModeEventOf, Usage } from "./events.ts";
export { JsonResult } from "./json-result.ts";
export {
  AssistantMessage,
  FilePart,
  ImagePart,
  Message,
  ReasoningPart,
  SystemMessage,
  TextPart,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from "./messages/history.ts";
export { type HistoryFault, historyFaults, isBlank } from "./messages/history-faults.ts";
export { estimateTokens, messageTokens } from "./messages/tokens.ts";
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
export { CostMode, type Mode, ModeName, modes, rootAgentId } from "./modes.ts";
export { FileChangeHook, ProjectConfig, StartupProcess } from "./project-config.ts";
export {
  AgentRunsBody,
  CodebuffMetadata,
  DocsSearchAnswer,
  DocsSearchBody,
  GateCode,
  GateError,
  MeAnswer,
  PublishBody,
  RunStepAnswer,
  RunStepBody,
  readGateError,
  StartRunAnswer,
  StoreAgentAnswer,
  TokenCountAnswer,
  TokenCountBody,
  WebSearchAnswer,
  WebSearchBody,
} from "./server-api.ts";
export {
  Followup,
  Question,
  QuestionAnswers,
  SpawnRequest,
  SpawnResult,
  Subgoal,
  SubgoalStatus,
  Todo,
} from "./tools/agent-tools.ts";
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
export {
  CommandSignal,
  TerminalCall,
  TerminalResult,
  TerminalScreen,
  TerminalStatus,
} from "./tools/terminal-tools.ts";
export type { ToolEffect, ToolSpec, ToolSpecs } from "./tools/tool-spec.ts";
export {
  type CheckedInput,
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
