export {
  AgentDefinition,
  type AgentDefinitionInput,
  type AgentFault,
  checkAgentDefinitions,
  type HandleSteps,
  McpServer,
  ProviderOptions,
  ReasoningOptions,
  type StepsInput,
} from "./agent-definition.ts";
export {
  AgentInitialPromptAction,
  AgentModeCall,
  AgentModeClientMessage,
  AgentModeResult,
  AgentModeServerMessage,
  AgentState,
  AgentToolResponseAction,
  emptyAgentState,
} from "./agent-mode.ts";
export { FinishStatus, PrintModeEvent, type PrintModeEventOf, Usage } from "./events.ts";
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
export { type HistoryFault, historyFaults } from "./history-faults.ts";
export { CostMode, type Mode, ModeName, modes, rootAgentId } from "./modes.ts";
export { ToolCall, ToolCallResult } from "./tool-call.ts";
export { errorOutput, JsonPart, MediaPart, outputError, ToolError, ToolOutput, ToolOutputPart } from "./tool-output.ts";
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
