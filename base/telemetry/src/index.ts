export { startTracing, type Tracing, type TracingOptions } from "./start-tracing.ts";
