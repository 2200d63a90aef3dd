import type { Cause, Item, TurnStatus, Usage } from "@muster/schema";

/** Where the trace of a caller stands, as the headers of W3C Trace Context say it. */
export interface TraceContext {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

export interface TracedTurn {
  sessionId: string;
  agent: string;
  agentVersion?: string;
  /** Whom the agent needs a key of, where that is one. */
  provider?: string;
  model?: string;
  turnId: string;
  origin: "user" | "agent";
  /** What the turn was begun with. */
  message?: string;
  /** Of the request that sent the message. */
  parent?: TraceContext;
}

export interface TracedResult {
  status: TurnStatus;
  cause?: Cause;
  usage?: Usage;
  costUsd?: number;
}

/** A question or a permission that a person is asked for. */
export interface TracedWait {
  kind: "question" | "permission";
  requestId: string;
  /** The call of a tool it is about. */
  itemId?: string | undefined;
}

/** A call to a model, by whoever makes it for the agent. */
export interface ModelCall {
  /** As the conventions name it: `anthropic`, `openai`, … */
  provider: string;
  model: string;
  operation?: "chat" | "text_completion" | "embeddings" | "generate_content";
}

export interface ModelCallEnd {
  status: "completed" | "failed" | "cancelled";
  /** Few of them: a status, a code of the provider. */
  errorType?: string;
  isStream?: boolean;
  responseModel?: string;
  responseId?: string;
  finishReasons?: readonly string[];
  /** From the start of the call to the first byte of its answer. */
  firstByteMs?: number;
  usage?: Usage;
  costUsd?: number;
}

/** The span of an open turn, and those inside it. */
export interface TurnTrace {
  startTool(item: Item): (ended: Item) => void;
  /** What a tool gave back, where content is recorded. */
  addToolResult(item: Item): void;
  /** What the agent said, where content is recorded. */
  addOutput(item: Item): void;
  startWait(wait: TracedWait): (outcome: string) => void;
  startModelCall(call: ModelCall): (end: ModelCallEnd) => void;
  end(result: TracedResult): void;
}

/** Given by the server when an OpenTelemetry endpoint is configured. */
export interface SessionTracer {
  startTurn(turn: TracedTurn): TurnTrace;
  /** A call outside of any turn. */
  startModelCall(call: ModelCall, session: { sessionId: string; agent: string }): (end: ModelCallEnd) => void;
}
