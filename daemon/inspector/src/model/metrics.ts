export interface Metric {
  name: string;
  help: string;
  kind: "counter" | "gauge" | "other";
  value: number;
}

/** Prometheus text → one number for each name: samples with labels are added up, the buckets of histograms left out. */
export function readMetrics(text: string): Metric[] {
  const metrics = new Map<string, Metric>();
  for (const line of text.split("\n")) {
    const about = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (about !== null) {
      const [, what, name = "", said = ""] = about;
      const metric = metrics.get(name) ?? { name, help: "", kind: "other" as const, value: 0 };
      metrics.set(name, metric);
      if (what === "HELP") metric.help = said;
      else metric.kind = said === "counter" || said === "gauge" ? said : "other";
      continue;
    }
    const [, name = "", value] = /^([\w:]+)(?:\{[^}]*\})? (\S+)/.exec(line) ?? [];
    const metric = metrics.get(name);
    if (metric !== undefined && Number.isFinite(Number(value))) metric.value += Number(value);
  }
  return [...metrics.values()].filter(({ kind }) => kind !== "other");
}
