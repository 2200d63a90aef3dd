import type { Cause, TurnStatus, Usage } from "@muster/schema";

export interface TracedTurn {
  sessionId: string;
  agent: string;
  model?: string;
  turnId: string;
  origin: "user" | "agent";
}

export interface TracedResult {
  status: TurnStatus;
  cause?: Cause;
  usage?: Usage;
  costUsd?: number;
}

/** Given by the server when an OpenTelemetry endpoint is configured; `start` returns how to end the span. */
export interface TurnTracer {
  start(turn: TracedTurn): (result: TracedResult) => void;
}
