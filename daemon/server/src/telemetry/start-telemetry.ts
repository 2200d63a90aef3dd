import { settlesWithin } from "@muster/core";
import type { SessionTracer } from "@muster/engine";
import { type Reading, type ServiceOptions, startMetrics, startTracing, type Tracing } from "@muster/telemetry";
import { createSessionTracer } from "./session-tracer.ts";

export interface Telemetry {
  readonly tracing: Tracing | undefined;
  readonly tracer: SessionTracer | undefined;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** A receiver that does not answer must not hold up a stop: whoever stopped the daemon kills it after ten seconds. */
const closeMs = 3_000;

/** Spans and figures over OTLP, each only where it has an endpoint: nothing of OpenTelemetry is loaded otherwise. */
export async function startTelemetry(
  env: NodeJS.ProcessEnv,
  version: string,
  read: () => readonly Reading[],
): Promise<Telemetry> {
  const service: ServiceOptions = { serviceName: "sandbox-daemon", version, scope: "muster" };
  const [tracing, metrics] = await Promise.all([startTracing(env, service), startMetrics(env, service, read)]);
  return {
    tracing,
    tracer: tracing && createSessionTracer(tracing, { recordsContent: recordsContent(env) }),
    async close() {
      const sent = Promise.all([tracing?.close(), metrics?.close()]);
      if (await settlesWithin(sent, closeMs)) await sent;
      else throw new Error(`The receiver did not take them within ${closeMs / 1_000} seconds`);
    },
  };
}

/** The switch of the conventions: what people and models say is on no span unless it is asked for. */
function recordsContent({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: told = "" }: NodeJS.ProcessEnv): boolean {
  return ["true", "1", "span_only", "span_and_event"].includes(told.trim().toLowerCase());
}
