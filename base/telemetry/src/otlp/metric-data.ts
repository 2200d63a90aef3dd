import type { HrTime } from "@opentelemetry/api";
import type {
  AggregationTemporality,
  DataPointType,
  HistogramMetricData,
  MetricData,
  SumMetricData,
} from "@opentelemetry/sdk-metrics";
import type { Point, Reading } from "../metrics/metric-set.ts";

export interface MetricDataKinds {
  readonly AggregationTemporality: typeof AggregationTemporality;
  readonly DataPointType: typeof DataPointType;
}

/** A reading as OpenTelemetry has it: the same numbers under its names. */
export function metricData(
  reading: Reading,
  kinds: MetricDataKinds,
  times: { start: HrTime; now: HrTime },
): MetricData {
  const { row, points } = reading;
  const { AggregationTemporality, DataPointType } = kinds;
  const descriptor = { name: row.otel.name, description: row.help, unit: row.otel.unit, valueType: 1 };
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  const about = ({ labels }: Point) => ({
    startTime: times.start,
    endTime: times.now,
    attributes: attributesOf(labels, row.labels ?? {}),
  });
  switch (row.type) {
    case "histogram":
      return {
        descriptor,
        aggregationTemporality,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: points.map((point) => ({ ...about(point), value: histogramOf(point, row.buckets ?? []) })),
      } satisfies HistogramMetricData;
    case "counter":
    case "gauge":
      return {
        descriptor,
        aggregationTemporality,
        ...(row.type === "counter"
          ? { dataPointType: DataPointType.SUM, isMonotonic: true }
          : { dataPointType: DataPointType.GAUGE }),
        dataPoints: points.map((point) => ({ ...about(point), value: point.value })),
      } as SumMetricData;
  }
}

function histogramOf({ value, counts = [] }: Point, boundaries: readonly number[]) {
  const count = counts.reduce((sum, each) => sum + each, 0);
  return { sum: value, count, buckets: { boundaries: [...boundaries], counts: [...counts] } };
}

function attributesOf(labels: Point["labels"], names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([label, value]) => [names[label] ?? label, value]));
}
