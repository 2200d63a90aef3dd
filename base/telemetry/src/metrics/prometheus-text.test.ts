import { describe, expect, it } from "vitest";
import { readExposition } from "../../test/exposition.ts";
import { MetricSet } from "./metric-set.ts";
import { processReadings } from "./process-figures.ts";
import { prometheusText } from "./prometheus-text.ts";

const otel = { name: "example", unit: "1" };
const rows = {
  plain: { type: "counter", name: "plain_total", help: "Of all", otel },
  told: {
    type: "counter",
    name: "told_total",
    help: 'With a \\ and\na line, and a "',
    labels: { by: "example.by" },
    otel,
  },
  took: {
    type: "histogram",
    name: "took_seconds",
    help: "Time",
    labels: { by: "example.by" },
    buckets: [0.1, 1],
    otel,
  },
} as const;

describe("the text for Prometheus", () => {
  it("has a counter without labels from the start, and nothing of what was never told", () => {
    expect(prometheusText(new MetricSet(rows).read())).toBe(
      "# HELP plain_total Of all\n# TYPE plain_total counter\nplain_total 0\n",
    );
  });

  it("gives back whatever a label holds", () => {
    const metrics = new MetricSet(rows);
    const odd = ['a"b', "back\\slash", "two\nlines", "", "emoji 🐟", "{curly},=x"];
    for (const by of odd) metrics.count("told", { by });
    const read = readExposition(prometheusText(metrics.read()));
    expect(read.get("told_total")?.samples.map(({ labels }) => labels.by)).toEqual(odd);
  });

  it("counts a value at its bound into the bucket of that bound, and what is above all into +Inf", () => {
    const metrics = new MetricSet(rows);
    for (const value of [0.05, 0.1, 0.5, 3]) metrics.measure("took", { by: "x" }, value);
    const samples = readExposition(prometheusText(metrics.read())).get("took_seconds")?.samples;
    expect(samples?.map(({ labels, value }) => [labels.le, value])).toEqual([
      ["0.1", 2],
      ["1", 3],
      ["+Inf", 4],
      [undefined, 3.65],
      [undefined, 4],
    ]);
  });

  it("has at most a hundred values of a label, whatever clients name; the rest is other", () => {
    const metrics = new MetricSet(rows);
    for (let at = 0; at < 5_000; at++) metrics.count("told", { by: `value ${at}` });
    const [, told] = metrics.read();
    expect(told?.points).toHaveLength(101);
    expect(told?.points.at(-1)).toMatchObject({ labels: { by: "other" }, value: 4_900 });
  });

  it("tells this process under the names of the convention", () => {
    const read = readExposition(prometheusText(processReadings()));
    const names = ["cpu_seconds_total", "max_fds", "open_fds", "resident_memory_bytes", "start_time_seconds"];
    expect([...read.keys()].sort()).toEqual([...names, "virtual_memory_bytes"].map((name) => `process_${name}`));
    for (const { samples } of read.values()) expect(samples[0]?.value).toBeGreaterThan(0);
  });
});

describe("the reader that tests check the text with", () => {
  it.each([
    ["a line without its end", "# HELP a_total b\n# TYPE a_total counter\na_total 1"],
    ["a counter without _total", "# HELP a b\n# TYPE a counter\na 1\n"],
    ["a sample of another family", "# HELP a b\n# TYPE a gauge\nb 1\n"],
    ["a sample twice", '# HELP a b\n# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
    ["a quote that is not escaped", '# HELP a b\n# TYPE a gauge\na{x="""} 1\n'],
    ["a number that is none", "# HELP a b\n# TYPE a gauge\na one\n"],
    ["no TYPE", "# HELP a b\na 1\n"],
    [
      "buckets that fall",
      '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    ],
    ["no bucket +Inf", '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_sum 1\na_count 2\n'],
    ["another count", '# HELP a b\n# TYPE a histogram\na_bucket{le="+Inf"} 2\na_sum 1\na_count 3\n'],
  ])("refuses %s", (_, text) => {
    expect(() => readExposition(text)).toThrow();
  });
});
