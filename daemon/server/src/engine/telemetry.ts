import type { TurnTracer } from "@muster/engine";

export interface Telemetry {
  tracer: TurnTracer;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Spans of turns, only when an OTLP endpoint is configured: nothing of OpenTelemetry is loaded otherwise. */
export async function startTelemetry(env: NodeJS.ProcessEnv, version: string): Promise<Telemetry | undefined> {
  const { startTracing } = await import("@muster/telemetry");
  const tracing = await startTracing(env, { serviceName: "sandbox-daemon", version, scope: "muster" });
  if (tracing === undefined) return undefined;
  const { tracer, SpanStatusCode, close } = tracing;
  return {
    tracer: {
      start({ sessionId, agent, model, turnId, origin }) {
        const attributes = {
          "session.id": sessionId,
          "gen_ai.system": agent,
          "muster.turn.id": turnId,
          "muster.turn.origin": origin,
        };
        const span = tracer.startSpan("turn", {
          attributes: model === undefined ? attributes : { ...attributes, "gen_ai.request.model": model },
        });
        return ({ status, cause, usage, costUsd }) => {
          span.setAttribute("muster.turn.status", status);
          if (cause) span.setAttribute("muster.turn.cause", cause);
          if (usage) {
            span.setAttribute("gen_ai.usage.input_tokens", usage.inputTokens);
            span.setAttribute("gen_ai.usage.output_tokens", usage.outputTokens);
          }
          if (costUsd !== undefined) span.setAttribute("muster.turn.cost_usd", costUsd);
          if (status !== "completed") span.setStatus({ code: SpanStatusCode.ERROR, message: cause });
          span.end();
        };
      },
    },
    close,
  };
}
