import type { SpanKind, SpanStatusCode, Tracer } from "@opentelemetry/api";

export interface TracingOptions {
  /** `service.name` where OTEL_SERVICE_NAME does not say another. */
  readonly serviceName: string;
  readonly version: string;
  /** The name of the tracer: whose code makes the spans. */
  readonly scope: string;
}

export interface Tracing {
  readonly tracer: Tracer;
  readonly SpanKind: typeof SpanKind;
  readonly SpanStatusCode: typeof SpanStatusCode;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Tracing, only when an OTLP endpoint is set: nothing of OpenTelemetry is loaded otherwise. */
export async function startTracing(
  env: NodeJS.ProcessEnv,
  { serviceName, version, scope }: TracingOptions,
): Promise<Tracing | undefined> {
  const url = endpointOf(env);
  if (url === undefined) return undefined;
  const [
    { SpanKind, SpanStatusCode },
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      "service.name": env.OTEL_SERVICE_NAME ?? serviceName,
      "service.version": version,
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  return { tracer: provider.getTracer(scope, version), SpanKind, SpanStatusCode, close: () => provider.shutdown() };
}

/** The endpoint is read from `env`, because the exporter itself looks only in `process.env`. */
function endpointOf(env: NodeJS.ProcessEnv): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = env;
  if (traces) return traces;
  return endpoint ? `${endpoint.replace(/\/+$/, "")}/v1/traces` : undefined;
}
