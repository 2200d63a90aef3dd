import type { Context, Span, SpanKind, SpanStatusCode, Tracer } from "@opentelemetry/api";
import { endpointOf } from "./endpoint.ts";
import { resourceAttributes, type ServiceOptions } from "./resource.ts";
import type { TraceHeaders } from "./trace-headers.ts";

export interface Tracing {
  readonly tracer: Tracer;
  readonly SpanKind: typeof SpanKind;
  readonly SpanStatusCode: typeof SpanStatusCode;
  /** Where a span goes on with the trace that the headers name; a new trace where they name none. */
  contextOf(headers: TraceHeaders | undefined): Context;
  /** Where a span is a child of this one. */
  below(span: Span): Context;
  /** By which others go on with this span. */
  headersOf(span: Span): TraceHeaders;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Tracing, only when an OTLP endpoint is set: nothing of OpenTelemetry is loaded otherwise. */
export async function startTracing(env: NodeJS.ProcessEnv, options: ServiceOptions): Promise<Tracing | undefined> {
  const url = endpointOf(env, "traces");
  if (url === undefined) return undefined;
  const [
    { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace },
    { W3CTraceContextPropagator },
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/core"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(resourceAttributes(env, options)),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  const propagator = new W3CTraceContextPropagator();
  return {
    tracer: provider.getTracer(options.scope, options.version),
    SpanKind,
    SpanStatusCode,
    contextOf: (headers) => propagator.extract(ROOT_CONTEXT, headers ?? {}, defaultTextMapGetter),
    below: (span) => trace.setSpan(ROOT_CONTEXT, span),
    headersOf(span) {
      const headers: TraceHeaders = {};
      propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, defaultTextMapSetter);
      return headers;
    },
    close: () => provider.shutdown(),
  };
}
