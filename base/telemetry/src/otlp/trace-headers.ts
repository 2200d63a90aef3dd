/** The two headers of W3C Trace Context, by which one program goes on with the trace of another. */
export interface TraceHeaders {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}
