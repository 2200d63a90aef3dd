export { RuntimeAction, ToolCallRequestAction, ToolCallResponseAction } from "./actions.ts";
export {
  AgentDefinition,
  type AgentDefinitionInput,
  type AgentFault,
  checkAgentDefinitions,
  McpServer,
  ProviderOptions,
  ReasoningOptions,
} from "./agent-definition.ts";
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
} from "./agent-mode.ts";
export { AgentOutput, AgentOutput as AgentOutputSchema, outputText } from "./agent-output.ts";
export { ControlLine, ReadyLine, UserMessageJoinedLine } from "./control-lines.ts";
export { FinishStatus, PermissionMark, PrintModeEvent, type PrintModeEventOf, Usage } from "./events.ts";
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
} from "./history.ts";
export { type HistoryFault, historyFaults, isBlank } from "./history-faults.ts";
export { JsonResult } from "./json-result.ts";
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
  emptyRunAgentState,
  FileContext,
  GitChanges,
  RunAgentState,
  RunState,
  rootAgentName,
  SessionState,
  Skill,
  ToolDefinition,
} from "./session-state.ts";
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
} from "./steps.ts";
export { estimateTokens, messageTokens } from "./tokens.ts";
export { ToolCall, ToolCallResult } from "./tool-call.ts";
export {
  errorOutput,
  interruptedMessage,
  JsonPart,
  MediaPart,
  outputError,
  ToolError,
  ToolOutput,
  ToolOutputPart,
} from "./tool-output.ts";
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
} from "./tool-table.ts";
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
