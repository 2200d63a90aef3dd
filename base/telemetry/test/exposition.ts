/** One family of the text format of Prometheus: what it is called, what it is, and its samples. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const names = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const numbers = /^[+-]?(\d+(\.\d+)?(e[+-]?\d+)?|Inf|NaN)$/i;

/**
 * Reads the text format (0.0.4) and throws at the first thing that is not right: order, names, escapes, numbers, a sample
 * twice, a counter without `_total`, buckets that fall or do not end with +Inf and the count.
 */
export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end");
  const families = new Map<string, Family & { samples: Sample[] }>();
  const lines = text.slice(0, -1).split("\n");
  for (let at = 0; at < lines.length; ) {
    const [, name = "", help = ""] = must(/^# HELP (\S+) (\S.*)$/.exec(lines[at] ?? ""), lines[at]);
    const [, typed = "", type = ""] = must(
      /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(lines[at + 1] ?? ""),
      lines[at + 1],
    );
    check(names.test(name) && typed === name, `HELP of ${name}, TYPE of ${typed}`);
    check(!families.has(name), `${name} twice`);
    check(type !== "counter" || name.endsWith("_total"), `The counter ${name} does not end with _total`);
    const samples: Sample[] = [];
    for (at += 2; at < lines.length && !lines[at]?.startsWith("#"); at++) samples.push(readSample(lines[at] ?? ""));
    check(samples.length > 0, `${name} has no sample`);
    const family = { name, type, help, samples };
    checkSamples(family);
    families.set(name, family);
  }
  return families;
}

function readSample(line: string): Sample {
  const [, name = "", inside = "", value = ""] = must(/^([^{\s]+)(\{.*\})? (\S+)$/.exec(line), line);
  check(names.test(name) && numbers.test(value), line);
  const labels: Record<string, string> = {};
  const pair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;
  const text = inside.slice(1, -1);
  for (pair.lastIndex = 0; pair.lastIndex < text.length; ) {
    const [, label = "", told = ""] = must(pair.exec(text), line);
    check(!(label in labels), `${label} twice in ${line}`);
    labels[label] = told.replace(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign));
  }
  return { name, labels, value: value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value) };
}

function checkSamples({ name, type, samples }: Family): void {
  const keys = samples.map((sample) => `${sample.name} ${JSON.stringify(sample.labels)}`);
  check(new Set(keys).size === keys.length, `A sample of ${name} twice`);
  const suffixes = type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  const own = suffixes.map((suffix) => `${name}${suffix}`);
  for (const sample of samples) check(own.includes(sample.name), `${sample.name} in ${name}`);
  if (type === "counter") for (const { value } of samples) check(value >= 0, `${name} is below 0`);
  if (type === "histogram") for (const series of seriesOf(samples)) checkBuckets(name, series);
}

function seriesOf(samples: readonly Sample[]): Sample[][] {
  const series = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  return [...series.values()];
}

function checkBuckets(name: string, series: readonly Sample[]): void {
  const buckets = series.filter((sample) => sample.name === `${name}_bucket`);
  const bounds = buckets.map(({ labels }) => (labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le)));
  check(
    bounds.every((bound, at) => at === 0 || bound > (bounds[at - 1] ?? bound)),
    `Bounds of ${name} do not rise`,
  );
  check(bounds.at(-1) === Number.POSITIVE_INFINITY, `${name} has no bucket +Inf`);
  check(
    buckets.every(({ value }, at) => at === 0 || value >= (buckets[at - 1]?.value ?? 0)),
    `Buckets of ${name} fall`,
  );
  const count = series.find((sample) => sample.name === `${name}_count`)?.value;
  check(buckets.at(-1)?.value === count, `The count of ${name} is not its last bucket`);
  check(
    series.some((sample) => sample.name === `${name}_sum`),
    `${name} has no sum`,
  );
}

function must<T>(found: T | null, line: string | undefined): T {
  if (found === null) throw new Error(`Not the text format: ${line}`);
  return found;
}

function check(isFine: boolean, what: string): void {
  if (!isFine) throw new Error(what);
}
