export {
  type AgentModeLimits,
  type AgentModeSession,
  costOfRun,
  handleAgentPrompt,
  newerState,
} from "./agent-mode/handle-agent-prompt.ts";
export { type Memory, memoryFolder, memoryIndex, memorySection } from "./agent-mode/memory.ts";
export { type AgentTask, type AgentTaskEnd, runAgentTask } from "./agent-mode/run-agent-task.ts";
export { findSelf, type SelfSource } from "./agent-mode/self-facts.ts";
export { agentModeResult } from "./agent-mode/tool-result.ts";
export { callMainPrompt } from "./call-main-prompt.ts";
export { cacheMarks } from "./context/cache-marks.ts";
export { type ContextBudget, type FittedContext, fitContext, summariseContext } from "./context/fit-context.ts";
export { addCosts, type Cost, creditsOf, dollarsOf, noCost } from "./cost.ts";
export { type IsolateOptions, startIsolatedSteps } from "./isolate/isolated-steps.ts";
export { defaultIsolateLimits, type IsolateLimits } from "./isolate/limits.ts";
export type {
  AgentStore,
  Chunk,
  Clock,
  Content,
  Entry,
  FoundAgent,
  Inbox,
  Ledger,
  Log,
  MarkedCall,
  Model,
  ModelRequest,
  Ports,
  RunEnd,
  Scope,
  StepRecord,
  Steps,
  StepsStart,
  ToolRunResult,
  Tools,
} from "./ports.ts";
export { defaultLimits, type MainPrompt, type RunLimits, type SendAction } from "./prompt.ts";
export { checkYield, startLocalSteps } from "./steps/local-steps.ts";
export { closingTag, readXmlCalls, type XmlCall, XmlCallReader, type XmlPiece } from "./xml/call-reader.ts";
export { jsonCallElement, readXmlInput, type XmlInput } from "./xml/parameters.ts";
export { readResultsXml, resultsXml } from "./xml/results.ts";
