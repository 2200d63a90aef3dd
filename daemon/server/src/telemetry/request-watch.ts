import type { IncomingMessage } from "node:http";
import type { RequestWatch } from "@muster/http";
import type { TraceHeaders, Tracing } from "@muster/telemetry";
import type { Metrics } from "./metrics.ts";
import { endSpan, type Span } from "./span.ts";

/** Other methods are nobody's: their names are whatever a client sends. */
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Each request as a figure and, where there is a tracer, as a span that goes on with the caller's trace. */
export function watchRequests(
  metrics: Metrics,
  tracing: Tracing | undefined,
): (request: IncomingMessage) => RequestWatch {
  return (request) => {
    const startedMs = performance.now();
    const method = knownMethods.has(request.method ?? "") ? (request.method ?? "") : "_OTHER";
    const span = tracing && startSpan(tracing, request, method);
    let operation = "none";
    let code = 0;
    return {
      trace: span && tracing.headersOf(span),
      setOperation(id, path) {
        operation = id;
        span?.updateName(`${method} ${path}`);
        span?.setAttributes({ "http.route": path, "muster.operation": id });
      },
      begin(status) {
        code = status;
        const labels = { operation, method, code: String(status) };
        metrics.measure("http", labels, (performance.now() - startedMs) / 1_000);
      },
      end() {
        if (span === undefined || tracing === undefined) return;
        const attributes = code === 0 ? {} : { "http.response.status_code": code };
        endSpan(tracing, span, { attributes, error: code >= 500 ? String(code) : undefined });
      },
    };
  };
}

/** The query is left out: a ticket may be in it. */
function startSpan({ tracer, SpanKind, contextOf }: Tracing, request: IncomingMessage, method: string): Span {
  const { headers, socket, httpVersion, url = "" } = request;
  const attributes = {
    "http.request.method": method,
    "http.request.method_original": method === "_OTHER" ? request.method : undefined,
    "url.path": url.split("?", 1)[0],
    "url.scheme": "http",
    "network.protocol.version": httpVersion,
    "client.address": socket.remoteAddress,
    "server.address": socket.localAddress,
    "server.port": socket.localPort,
    "user_agent.original": headers["user-agent"],
  };
  return tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, contextOf(traceOf(headers)));
}

/** Headers that came twice are joined by Node, and are then no headers of a trace. */
function traceOf({ traceparent, tracestate }: IncomingMessage["headers"]): TraceHeaders {
  return { traceparent: single(traceparent), tracestate: single(tracestate) };
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? undefined : value;
}
