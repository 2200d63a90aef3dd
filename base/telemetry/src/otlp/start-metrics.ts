import type { HrTime } from "@opentelemetry/api";
import type { Reading } from "../metrics/metric-set.ts";
import { endpointOf } from "./endpoint.ts";
import { metricData } from "./metric-data.ts";
import { resourceAttributes, type ServiceOptions } from "./resource.ts";

export interface SentMetrics {
  /** Sends what was counted since the last time. */
  close(): Promise<void>;
}

/** How often, where OTEL_METRIC_EXPORT_INTERVAL does not say. */
const usualMs = 60_000;
const shortestMs = 100;
const timeoutMs = 10_000;

/** Sends readings over OTLP every minute, only when an endpoint is set: nothing of OpenTelemetry is loaded otherwise. */
export async function startMetrics(
  env: NodeJS.ProcessEnv,
  options: ServiceOptions,
  read: () => readonly Reading[],
): Promise<SentMetrics | undefined> {
  const url = endpointOf(env, "metrics");
  if (url === undefined) return undefined;
  const [sdk, { OTLPMetricExporter }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/sdk-metrics"),
    import("@opentelemetry/exporter-metrics-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const resource = resourceFromAttributes(resourceAttributes(env, options));
  const scope = { name: options.scope, version: options.version };
  const start = hrTime(performance.timeOrigin);
  const interval = Math.max(Number(env.OTEL_METRIC_EXPORT_INTERVAL) || usualMs, shortestMs);
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url }),
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(interval, timeoutMs),
    metricProducers: [
      {
        async collect() {
          const times = { start, now: hrTime(Date.now()) };
          const readings = read().filter(({ points }) => points.length > 0);
          const metrics = readings.map((reading) => metricData(reading, sdk, times));
          return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
        },
      },
    ],
  });
  const provider = new sdk.MeterProvider({ resource, readers: [reader] });
  return { close: () => provider.shutdown() };
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
