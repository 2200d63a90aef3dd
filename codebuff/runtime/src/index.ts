export { ActionStream } from "./action-stream.ts";
export {
  type AgentModeSession,
  costOfRun,
  handleAgentPrompt,
} from "./agent-mode/handle-agent-prompt.ts";
export { type Memory, memoryFolder, memoryIndex, memorySection } from "./agent-mode/memory.ts";
export { type AgentTask, type AgentTaskEnd, runAgentTask } from "./agent-mode/run-agent-task.ts";
export { findSelf } from "./agent-mode/self-facts.ts";
export { refusalOf } from "./agent-mode/sort-calls.ts";
export { agentModeResult } from "./agent-mode/tool-result.ts";
export { callMainPrompt } from "./call-main-prompt.ts";
export { addCosts, type Cost, creditsOf, dollarsOf, noCost } from "./cost.ts";
export { startIsolatedSteps } from "./isolate/isolated-steps.ts";
export type {
  AgentStore,
  Chunk,
  Clock,
  Entry,
  FoundAgent,
  Inbox,
  Ledger,
  MarkedCall,
  Model,
  ModelRequest,
  Ports,
  RunEnd,
  Scope,
  StepRecord,
  ToolRunResult,
  Tools,
  TurningAgent,
  Turns,
} from "./ports.ts";
export type { MainPrompt, RunLimits } from "./prompt.ts";
export { startLocalSteps } from "./steps/local-steps.ts";
export { XmlCallReader, type XmlPiece } from "./xml/call-reader.ts";
export { readXmlInput } from "./xml/parameters.ts";
