import type { ModelCall, ModelCallEnd } from "@muster/engine";
import type { Tracing } from "@muster/telemetry";
import { type Context, endSpan } from "./span.ts";
import { usageAttributes } from "./usage-attributes.ts";

interface TracedCall {
  readonly call: ModelCall;
  readonly sessionId: string;
  readonly agent: string;
}

/** A call to a model; the returned function ends its span. One that was cancelled is no error. */
export function startModelSpan(
  tracing: Tracing,
  { call, sessionId, agent }: TracedCall,
  context: Context,
): (end: ModelCallEnd) => void {
  const { provider, model, operation = "chat" } = call;
  const attributes = {
    "gen_ai.operation.name": operation,
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": model,
    "gen_ai.conversation.id": sessionId,
    "gen_ai.agent.name": agent,
  };
  const options = { kind: tracing.SpanKind.CLIENT, attributes };
  const span = tracing.tracer.startSpan(`${operation} ${model}`, options, context);
  return ({ status, errorType, isStream, responseModel, responseId, finishReasons, firstByteMs, usage, costUsd }) =>
    endSpan(tracing, span, {
      attributes: {
        "gen_ai.request.stream": isStream,
        "gen_ai.response.model": responseModel,
        "gen_ai.response.id": responseId,
        "gen_ai.response.finish_reasons": finishReasons && [...finishReasons],
        "gen_ai.response.time_to_first_chunk": firstByteMs === undefined ? undefined : firstByteMs / 1_000,
        ...usageAttributes(usage, costUsd),
      },
      error: status === "failed" ? (errorType ?? "_OTHER") : undefined,
    });
}
