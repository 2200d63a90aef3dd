/** One figure: its names, what it means, and how it is told apart. */
export interface MetricRow {
  readonly type: "counter" | "gauge" | "histogram";
  /** For Prometheus, with its unit; a counter ends with `_total`. */
  readonly name: string;
  readonly help: string;
  /** Prometheus' label → the attribute of OpenTelemetry. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Upper bounds of a histogram, rising. */
  readonly buckets?: readonly number[];
  /** Its name and unit for OpenTelemetry. */
  readonly otel: { readonly name: string; readonly unit: string };
}

/** The values of one row at one moment. */
export interface Reading {
  readonly row: MetricRow;
  readonly points: readonly Point[];
}

export interface Point {
  readonly labels: Readonly<Record<string, string>>;
  /** Of a histogram its sum. */
  value: number;
  /** Of a histogram: how many values fell into each bucket, the last one above all bounds. */
  counts?: number[];
}

type Labels = Readonly<Record<string, string>>;

/** More values of one label than this are counted as `other`: a label must not grow with what clients name. */
const mostValues = 100;
const none: Labels = {};

/** Figures by their names in a table of rows. */
export class MetricSet<Name extends string> {
  readonly #series: ReadonlyMap<string, { row: MetricRow; points: Map<string, Point>; values: Set<string>[] }>;

  constructor(rows: Readonly<Record<Name, MetricRow>>) {
    const entries = Object.entries<MetricRow>(rows).map(([name, row]) => {
      const values = Object.keys(row.labels ?? {}).map(() => new Set<string>());
      return [name, { row, points: new Map<string, Point>(), values }] as const;
    });
    this.#series = new Map(entries);
    // A counter without labels is there from the start: its rise from 0 is seen.
    for (const [name, { row, values }] of entries) {
      if (row.type === "counter" && values.length === 0) this.count(name as Name, none, 0);
    }
  }

  count(name: Name, labels: Labels = none, by = 1): void {
    this.#point(name, labels).value += by;
  }

  set(name: Name, labels: Labels, value: number): void {
    this.#point(name, labels).value = value;
  }

  measure(name: Name, labels: Labels, value: number): void {
    const point = this.#point(name, labels);
    const { buckets = [] } = this.#of(name).row;
    point.counts ??= new Array(buckets.length + 1).fill(0);
    const at = buckets.findIndex((bound) => value <= bound);
    const bucket = at === -1 ? buckets.length : at;
    point.counts[bucket] = (point.counts[bucket] ?? 0) + 1;
    point.value += value;
  }

  read(): Reading[] {
    return [...this.#series.values()].map(({ row, points }) => ({ row, points: [...points.values()] }));
  }

  #point(name: Name, labels: Labels): Point {
    const { row, points, values } = this.#of(name);
    if (values.length === 0) return pointAt(points, "", none);
    const bounded: Record<string, string> = {};
    let key = "";
    for (const [at, label] of Object.keys(row.labels ?? {}).entries()) {
      const value = boundValue(values[at], labels[label] ?? "");
      bounded[label] = value;
      key += `${value}\0`;
    }
    return pointAt(points, key, bounded);
  }

  #of(name: Name) {
    const series = this.#series.get(name);
    if (series === undefined) throw new Error(`There is no figure ${name}`);
    return series;
  }
}

function boundValue(known: Set<string> | undefined, value: string): string {
  if (known === undefined || known.has(value)) return value;
  if (known.size >= mostValues) return "other";
  known.add(value);
  return value;
}

function pointAt(points: Map<string, Point>, key: string, labels: Labels): Point {
  const known = points.get(key);
  if (known !== undefined) return known;
  const point: Point = { labels, value: 0 };
  points.set(key, point);
  return point;
}
