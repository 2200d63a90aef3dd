/** What is counted, each with the text that explains it to whoever reads the page. */
const meanings = {
  requests: "Requests answered, by route and status",
  refusals: "Requests a gate refused, by status and code",
  model_calls: "Calls of a model, by provider and outcome",
  units_charged: "Units of 1/1000 credit charged",
  units_waived: "Units of 1/1000 credit that nobody paid",
  closed_holds: "Requests of lost instances that were closed, by kind",
} as const;

type Name = keyof typeof meanings;

/** Counters in the text form that Prometheus reads. They belong to this process: sums are made by whoever collects them. */
export class Metrics {
  readonly #counters = new Map<Name, Map<string, number>>();

  count(name: Name, labels: Readonly<Record<string, string | number>> = {}, by = 1): void {
    const series = this.#counters.get(name) ?? new Map<string, number>();
    this.#counters.set(name, series);
    const key = Object.entries(labels)
      .map(([label, value]) => `${label}="${String(value).replaceAll(/["\\\n]/g, "_")}"`)
      .join(",");
    series.set(key, (series.get(key) ?? 0) + by);
  }

  text(gauges: Readonly<Record<string, number>>): string {
    const lines: string[] = [];
    for (const [name, meaning] of Object.entries(meanings)) {
      const full = `codebuff_${name}_total`;
      lines.push(`# HELP ${full} ${meaning}`, `# TYPE ${full} counter`);
      for (const [labels, value] of this.#counters.get(name as Name) ?? []) {
        lines.push(labels === "" ? `${full} ${value}` : `${full}{${labels}} ${value}`);
      }
    }
    for (const [name, value] of Object.entries(gauges)) {
      lines.push(`# TYPE codebuff_${name} gauge`, `codebuff_${name} ${value}`);
    }
    return `${lines.join("\n")}\n`;
  }
}
