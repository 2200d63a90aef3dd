import type {
  AgentDefinition,
  AgentOutput,
  FileContext,
  FinishStatus,
  Message,
  PublicAgentState,
  RunAgentState,
  Subgoal,
  Todo,
  ToolDefinition,
  Usage,
} from "@muster/codebuff-protocol";
import type { ActionStream } from "./action-stream.ts";
import type { ChildSlots } from "./children/child-slots.ts";
import { addCosts, type Cost, creditsOf } from "./cost.ts";
import type { Emitter } from "./emitter.ts";
import type { History } from "./history/history.ts";
import type { Content, FoundAgent, Inbox, Ports, Scope } from "./ports.ts";
import type { RunLimits } from "./prompt.ts";

/** What the root and all its descendants share. */
export interface RunTree {
  readonly ports: Ports;
  readonly limits: RunLimits;
  readonly sessionId: string;
  readonly files: FileContext;
  readonly actions: ActionStream;
  readonly slots: ChildSlots;
  readonly signal: AbortSignal;
  /** Runs another agent of this tree: `loopAgentSteps`, which in turn leads here. */
  runAgent(start: AgentStart): Promise<AgentEnd>;
  /** Model steps and tokens of the whole tree so far. */
  readonly spent: { steps: number; usage: Usage };
}

/** What one agent is started with, root and child alike. */
export interface AgentStart {
  readonly tree: RunTree;
  readonly agent: FoundAgent;
  readonly agentId: string;
  readonly parent?: AgentRun;
  /** An inline agent works on its parent's history, system prompt and tools. */
  readonly isInline?: boolean;
  readonly content: Content;
  readonly params?: Record<string, unknown>;
  /** The history it begins with. */
  readonly messages: readonly Message[];
  readonly subgoals?: Readonly<Record<string, Subgoal>>;
  readonly todos?: readonly Todo[];
  /** Takes the place of the definition's model. */
  readonly model?: string;
  readonly appendSystemPrompt?: string;
  readonly inbox?: Inbox;
  /** Called once, when the ledger has given the run its id. */
  onStarted?(run: AgentRun): void;
  beforeFirstEvent?(): void;
}

/** How an agent ended. A parent adds each child's `total`, failed ones too. */
export interface AgentEnd {
  readonly state: RunAgentState;
  readonly output: AgentOutput;
  readonly status: FinishStatus;
  readonly direct: Cost;
  readonly total: Cost;
}

/** One agent at work. */
export interface AgentRun {
  readonly tree: RunTree;
  readonly agent: FoundAgent;
  readonly model: string;
  /** The root has 0. */
  readonly depth: number;
  readonly parent: AgentRun | undefined;
  readonly scope: Scope;
  readonly history: History;
  readonly emit: Emitter;
  readonly systemPrompt: string;
  /** What the person said now, and what the agent was first asked in this session. */
  readonly prompts: { readonly user: string; readonly initial: string };
  /** What the model is offered; an agent that inherits its parent's system prompt sees the parent's list. */
  readonly tools: readonly ToolDefinition[];
  /** The tools its model may really call. */
  readonly usable: ReadonlySet<string>;
  /** Agents it may spawn, by the id it was allowed. */
  readonly spawnable: ReadonlyMap<string, AgentDefinition>;
  readonly memory: AgentMemory;
}

/** What changes while an agent works, beside its history. */
interface AgentMemory {
  readonly subgoals: Record<string, Subgoal>;
  todos: Todo[];
  output: RunAgentState["output"];
  readonly subagents: string[];
  readonly childRunIds: string[];
  stepsRemaining: number;
  /** Steps recorded, with and without a model. */
  stepNumber: number;
  contextTokens: number;
  /** How far the last reported usage was from the estimate. */
  tokenScale: number;
  /** Outputs that were missing or did not fit their schema. */
  outputFaults: number;
  thoughtOnly: number;
  lengthEnds: number;
  direct: Cost;
  ofChildren: Cost;
}

export function totalCost({ memory }: AgentRun): Cost {
  return addCosts(memory.direct, memory.ofChildren);
}

export function agentStateOf(run: AgentRun): RunAgentState {
  const { agent, scope, memory, history } = run;
  return {
    agentId: scope.agentId,
    agentType: agent.definition.id,
    agentContext: { ...memory.subgoals },
    todos: memory.todos,
    ancestorRunIds: [...scope.ancestorRunIds],
    runId: scope.runId,
    parentId: run.parent?.scope.agentId,
    subagents: [...memory.subagents],
    childRunIds: [...memory.childRunIds],
    messageHistory: [...history.messages],
    stepsRemaining: memory.stepsRemaining,
    creditsUsed: creditsOf(totalCost(run)),
    directCreditsUsed: creditsOf(memory.direct),
    output: memory.output,
    systemPrompt: run.systemPrompt,
    toolDefinitions: [...run.tools],
    contextTokenCount: memory.contextTokens,
  };
}

/** What `handleSteps` sees: copies, so that an agent changes its history only through tools. */
export function publicStateOf(run: AgentRun): PublicAgentState {
  const { agentId, runId, parentId, messageHistory, output, systemPrompt, toolDefinitions, contextTokenCount } =
    agentStateOf(run);
  return { agentId, runId, parentId, messageHistory, output, systemPrompt, toolDefinitions, contextTokenCount };
}
