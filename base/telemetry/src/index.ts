export { type MetricRow, MetricSet, type Reading } from "./metrics/metric-set.ts";
export { processReadings, processRows } from "./metrics/process-figures.ts";
export { prometheusText } from "./metrics/prometheus-text.ts";
export type { ServiceOptions } from "./otlp/resource.ts";
export { startMetrics } from "./otlp/start-metrics.ts";
export { startTracing, type Tracing } from "./otlp/start-tracing.ts";
export type { TraceHeaders } from "./otlp/trace-headers.ts";
