import { startTracing } from "@muster/telemetry";

interface TracedCall {
  readonly model: string;
  readonly provider: string;
  readonly userId: string;
  readonly runId: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly units: number;
}

/** One span per model call. */
export interface CallTracer {
  record(call: TracedCall): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Only when an OTLP endpoint is configured: nothing of OpenTelemetry is loaded otherwise. */
export async function startTelemetry(env: NodeJS.ProcessEnv, version: string): Promise<CallTracer | undefined> {
  const tracing = await startTracing(env, { serviceName: "codebuff-server", version, scope: "codebuff-server" });
  if (tracing === undefined) return undefined;
  const { tracer, SpanKind, SpanStatusCode, close } = tracing;
  return {
    record(call) {
      const span = tracer.startSpan(`chat ${call.model}`, {
        kind: SpanKind.CLIENT,
        startTime: call.startedAt,
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.system": call.provider,
          "gen_ai.request.model": call.model,
          "gen_ai.usage.input_tokens": call.inputTokens,
          "gen_ai.usage.output_tokens": call.outputTokens,
          "enduser.id": call.userId,
          "codebuff.run.id": call.runId,
          "codebuff.outcome": call.outcome,
          "codebuff.units": call.units,
        },
      });
      if (call.outcome !== "completed") span.setStatus({ code: SpanStatusCode.ERROR, message: call.outcome });
      span.end(call.endedAt);
    },
    close,
  };
}
