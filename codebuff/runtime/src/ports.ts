import type {
  AgentDefinition,
  ImagePart,
  Message,
  PlanMark,
  PrintModeEvent,
  PublicAgentState,
  Skill,
  StepReply,
  StepYield,
  TextPart,
  ToolCall,
  ToolCallResult,
  ToolDefinition,
  Usage,
} from "@muster/codebuff-protocol";
import type { Cost } from "./cost.ts";

/** Everything the loop does to the world goes through one of these. */
export interface Ports {
  readonly model: Model;
  readonly tools: Tools;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly agents: AgentStore;
  readonly log: Log;
  /** Left out: nobody outside has a say at the turning points of an agent. */
  readonly turns?: Turns;
}

/** An agent at one of its turning points. */
export interface TurningAgent {
  readonly agentId: string;
  readonly agentType: string;
  readonly isRoot: boolean;
}

/** Asked at the turning points of agents, root and children alike. None of them rejects. */
export interface Turns {
  /** It has begun, its task stands in its history. The text is told to it beside its task. */
  begins(agent: TurningAgent, prompt: string): Promise<string | undefined>;
  /** It wants to end its turn with these words. A text sends it on; `isSentOn`: one has done so in this turn already. */
  ends(agent: TurningAgent, last: string, isSentOn: boolean): Promise<string | undefined>;
  /** Its history does not fit and is about to be shortened. */
  shortens(agent: TurningAgent): Promise<void>;
}

export type Content = readonly (TextPart | ImagePart)[];

/**
 * A model's answer. It ends with `finish` or `error`; a stream that just ends was cut and the step is tried again.
 * Retries before the first content, back-off and fallback routes are the port's; an `error` chunk is its last word.
 */
export type Chunk =
  | { readonly type: "text-delta" | "reasoning-delta"; readonly text: string }
  /** The complete argument text as the model wrote it; the runtime repairs and checks it. Provider ids stay outside. */
  | { readonly type: "tool-call"; readonly toolName: string; readonly input: string }
  /** What the answer has cost so far; the last one counts when the answer ends without `finish`. */
  | { readonly type: "spent"; readonly usage: Usage; readonly cost: Cost }
  /** Waiting before another attempt; counts as a sign of life. */
  | { readonly type: "retrying"; readonly untilMs: number; readonly message?: string }
  /** `code` is a gate's word or `context_overflow`; such errors are not tried again. */
  | { readonly type: "error"; readonly code?: string; readonly message: string; readonly statusCode?: number }
  | {
      readonly type: "finish";
      readonly reason: "stop" | "tool-calls" | "length" | "stop-sequence";
      /** The provider's id of the answer. */
      readonly messageId?: string;
      readonly usage: Usage;
      readonly cost: Cost;
    };

export interface ModelRequest {
  readonly runId: string;
  readonly agentId: string;
  readonly ancestorRunIds: readonly string[];
  readonly agent: AgentDefinition;
  readonly model: string;
  /** The system prompt first, the step reminder last; one part per message. Adjacent ones may be merged on the wire. */
  readonly messages: readonly Message[];
  /** Indices of messages after which a cache mark stands. */
  readonly cacheAt: readonly number[];
  readonly tools: readonly ToolDefinition[];
  readonly stop?: readonly string[];
  readonly maxTokens: number;
}

export interface Model {
  /** Stops at the abort: the iteration ends or throws, and no more chunks come. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<Chunk>;
  /** Exact count of a request. A failure is never fatal: the local estimate stands. */
  countTokens?(request: ModelRequest, signal: AbortSignal): Promise<number>;
  /** Tokens a model takes in all. */
  contextWindow(model: string): number;
}

/** Who calls a tool. A child's terminal session and its proposals hang on `agentId` and `runId`. */
export interface Scope {
  readonly sessionId: string;
  readonly runId: string;
  readonly agentId: string;
  readonly parentAgentId: string | undefined;
  readonly ancestorRunIds: readonly string[];
  readonly signal: AbortSignal;
}

/** A plan mark is set by the loop for a local agent's `ask_user`, never read from a model's input. */
export type MarkedCall = ToolCall & { readonly plan?: PlanMark };
export type ToolRunResult = ToolCallResult & { readonly cost?: Cost };

/** Policy, questions, MCP and network stand behind it. */
export interface Tools {
  /** Definitions beyond the tool table that an agent may be offered: custom tools, MCP tools. Asked once per run. */
  definitions(agent: AgentDefinition, signal: AbortSignal): Promise<readonly ToolDefinition[]>;
  /**
   * Runs the calls of one step: built-in ones with checked input and defaults, and those of `definitions`. One result per
   * call, in any order; never rejects, and settles soon after the abort. Progress comes only before the result.
   */
  run(
    calls: readonly MarkedCall[],
    scope: Scope,
    progress: (call: ToolCall, output: string) => void,
  ): Promise<readonly ToolRunResult[]>;
  /** Where to tell what happens beside calls and results: a permission that is asked. `tell` resolves when it has been taken. */
  tellTo?(tell: (event: PrintModeEvent) => Promise<void>): void;
  /** An agent is over: its terminal session and its proposals may go. */
  endAgent(scope: Scope): void;
  /** The text of a skill, or undefined. */
  skill?(name: string): Skill | undefined;
}

export interface Clock {
  now(): number;
  /** Rejects with the signal's reason at the abort. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  newId(kind: "agent" | "call"): string;
}

export interface StepRecord {
  readonly stepNumber: number;
  readonly cost: Cost;
  readonly childRunIds: readonly string[];
  readonly messageId: string | null;
  readonly status: "completed" | "skipped";
  readonly startTime: number;
  readonly errorMessage?: string;
}

export interface RunEnd {
  readonly status: "completed" | "failed" | "cancelled";
  readonly totalSteps: number;
  readonly direct: Cost;
  readonly total: Cost;
  readonly errorMessage?: string;
}

/** START, steps and FINISH of runs. `step` and `finish` never block and never throw; the owner of the port drains. */
export interface Ledger {
  /** Gives the run its id, or rejects; a rejection with `statusCode` and `code` keeps them in the output. */
  start(
    run: { readonly agentType: string; readonly ancestorRunIds: readonly string[] },
    signal: AbortSignal,
  ): Promise<{ readonly runId: string }>;
  step(runId: string, step: StepRecord): void;
  finish(runId: string, end: RunEnd): void;
}

/** A `handleSteps` that runs, as a generator in this process or in an isolate. */
export interface Steps {
  /** Resumes with the reply to the last yield. Rejects with what `handleSteps` threw, or when it yields nonsense. */
  next(reply: StepReply | undefined): Promise<StepYield | { readonly type: "return" }>;
  /** Frees what it holds; may be called twice. */
  close(): void;
}

export interface StepsStart {
  readonly agentState: PublicAgentState;
  readonly prompt: string | undefined;
  readonly params: Record<string, unknown> | undefined;
  readonly log: Log;
}

/**
 * An agent ready to run. A local one is a real module whose generator is called in this process. One from a store has
 * `origin: "store"` and brings `startSteps`, which runs its text in an isolate; it may only call tools in its `toolNames`.
 */
export interface FoundAgent {
  readonly definition: AgentDefinition;
  readonly origin: "local" | "store";
  startSteps?(start: StepsStart): Promise<Steps>;
}

/** Looks up local agents, then a cache by version, then the store. */
export interface AgentStore {
  find(id: string, signal: AbortSignal): Promise<FoundAgent | { readonly available: readonly string[] }>;
}

/** The journal of an agent's history: replaying append and replace gives the array. */
export type Entry = { readonly agentId: string } & (
  | { readonly type: "append"; readonly messages: readonly Message[] }
  | {
      readonly type: "replace";
      readonly messages: readonly Message[];
      readonly reason: "compact" | "set_messages" | "inline" | "expire";
    }
  /** What a step is about to call. Durable before a tool starts. */
  | { readonly type: "calls"; readonly calls: readonly ToolCall[] }
);

export interface Log {
  /** Called when the reader of the run has taken everything that was said before. */
  write(entry: Entry): Promise<void>;
  warn(message: string): void;
}

/** Steering texts, read at root step boundaries; at the end of a turn an empty `take()` and `close()` happen in one tick. */
export interface Inbox {
  take(): readonly { readonly messageId: string; readonly content: Content }[];
  close(): void;
}
