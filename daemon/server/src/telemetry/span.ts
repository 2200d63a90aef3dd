import type { Tracing } from "@muster/telemetry";

export type Span = ReturnType<Tracing["tracer"]["startSpan"]>;
export type Context = ReturnType<Tracing["below"]>;
export type Attributes = Record<string, string | number | boolean | string[] | undefined>;

/** Why a span is an error, in few words that repeat; undefined when it is none. */
type ErrorType = string | undefined;

/** Ends a span, as an error where there is one: a status of ERROR goes with `error.type`, and with nothing else. */
export function endSpan(
  { SpanStatusCode }: Tracing,
  span: Span,
  { attributes = {}, error, at }: { attributes?: Attributes; error?: ErrorType; at?: number },
): void {
  span.setAttributes(attributes);
  if (error !== undefined) {
    span.setAttribute("error.type", error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(at);
}
