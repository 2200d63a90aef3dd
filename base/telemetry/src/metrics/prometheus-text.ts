import type { MetricRow, Point, Reading } from "./metric-set.ts";

/** Readings in the text format of Prometheus (0.0.4). What has no value yet is left out. */
export function prometheusText(readings: readonly Reading[]): string {
  const families = readings.filter(({ points }) => points.length > 0).map(family);
  return `${families.join("\n")}\n`;
}

function family({ row, points }: Reading): string {
  const { name, type, help } = row;
  const lines = points.flatMap((point) => (type === "histogram" ? histogramLines(row, point) : [line(name, point)]));
  return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
}

function line(name: string, { labels, value }: Point): string {
  return `${name}${labelText(labels)} ${numberText(value)}`;
}

function histogramLines({ name, buckets = [] }: MetricRow, { labels, value, counts = [] }: Point): string[] {
  let sum = 0;
  const lines = [...buckets, Number.POSITIVE_INFINITY].map((bound, at) => {
    sum += counts[at] ?? 0;
    return `${name}_bucket${labelText({ ...labels, le: numberText(bound) })} ${sum}`;
  });
  return [...lines, `${name}_sum${labelText(labels)} ${numberText(value)}`, `${name}_count${labelText(labels)} ${sum}`];
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
