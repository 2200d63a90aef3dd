import type { SessionTracer } from "@muster/engine";
import type { Tracing } from "@muster/telemetry";
import { startModelSpan } from "./model-span.ts";
import { TurnSpans } from "./turn-spans.ts";

export interface SessionTracerOptions {
  /** What is said, and what tools are given and give, is recorded too. */
  readonly recordsContent: boolean;
}

/** Turns and what happens in them as spans, by the conventions for generative AI. */
export function createSessionTracer(tracing: Tracing, options: SessionTracerOptions): SessionTracer {
  return {
    startTurn: (turn) => new TurnSpans(tracing, turn, options),
    startModelCall: (call, session) => startModelSpan(tracing, { call, ...session }, tracing.contextOf(undefined)),
  };
}
