import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Value = string | number | boolean | string[];

/** A span as it was sent, its attributes as plain values. */
export interface ReceivedSpan {
  readonly name: string;
  /** 1 internal, 2 server, 3 client, as the protocol numbers them. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly traceState: string | undefined;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, Value>>;
  /** 0 unset, 1 fine, 2 error. */
  readonly status: number;
}

export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: "sum" | "gauge" | "histogram";
  readonly points: readonly {
    readonly attributes: Readonly<Record<string, Value>>;
    readonly value: number;
    readonly count?: number;
  }[];
}

/** A collector: takes OTLP over HTTP in JSON, checks its form, and keeps what came. */
export class OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[] = [];
  readonly metrics: ReceivedMetric[] = [];
  readonly resources: Record<string, Value>[] = [];
  /** What was wrong with what came. */
  readonly faults: string[] = [];
  readonly #server: ReturnType<typeof createServer>;
  #text = "";

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    return new OtlpReceiver(server);
  }

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      this.#text += body;
      try {
        if (request.headers["content-type"] !== "application/json") throw new Error("It is not JSON");
        if (request.url === "/v1/traces") this.#takeTraces(JSON.parse(body));
        else if (request.url === "/v1/metrics") this.#takeMetrics(JSON.parse(body));
        else throw new Error(`Nothing is at ${request.url}`);
      } catch (error) {
        this.faults.push(String(error));
      }
      response.setHeader("content-type", "application/json").end('{"partialSuccess":{}}');
    });
  }

  /** Everything that came, to look for what must not be in it. */
  get text(): string {
    return this.#text;
  }

  named(name: string): ReceivedSpan {
    const found = this.spans.filter((span) => span.name === name);
    const [span] = found;
    if (span === undefined || found.length > 1)
      throw new Error(`${found.length} spans ${name} of ${this.spans.map((one) => one.name).join(", ")}`);
    return span;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #takeTraces({ resourceSpans }: { resourceSpans: RawResource<{ scopeSpans: { spans: RawSpan[] }[] }>[] }): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resources.push(plain(resource.attributes));
      for (const { spans } of scopeSpans) this.spans.push(...spans.map(spanOf));
    }
  }

  #takeMetrics({
    resourceMetrics,
  }: {
    resourceMetrics: RawResource<{ scopeMetrics: { metrics: RawMetric[] }[] }>[];
  }): void {
    for (const { resource, scopeMetrics } of resourceMetrics) {
      this.resources.push(plain(resource.attributes));
      for (const { metrics } of scopeMetrics) this.metrics.push(...metrics.map(metricOf));
    }
  }
}

type RawResource<T> = T & { resource: { attributes: RawAttribute[] } };
interface RawAttribute {
  key: string;
  value: Record<string, unknown>;
}
interface RawSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: RawAttribute[];
  status: { code: number };
}
interface RawPoint {
  attributes: RawAttribute[];
  asDouble?: number;
  asInt?: number;
  sum?: number;
  count?: number;
  bucketCounts?: number[];
  explicitBounds?: number[];
}
interface RawMetric {
  name: string;
  unit: string;
  sum?: { dataPoints: RawPoint[]; isMonotonic: boolean; aggregationTemporality: number };
  gauge?: { dataPoints: RawPoint[] };
  histogram?: { dataPoints: RawPoint[]; aggregationTemporality: number };
}

function spanOf(raw: RawSpan): ReceivedSpan {
  const { name, kind, traceId, spanId, parentSpanId, traceState, status } = raw;
  if (!/^[0-9a-f]{32}$/.test(traceId) || !/^[0-9a-f]{16}$/.test(spanId)) throw new Error(`The ids of ${name} are none`);
  const [startNs, endNs] = [BigInt(raw.startTimeUnixNano), BigInt(raw.endTimeUnixNano)];
  if (endNs < startNs) throw new Error(`${name} ends before it starts`);
  const attributes = plain(raw.attributes);
  return { name, kind, traceId, spanId, parentSpanId, traceState, startNs, endNs, attributes, status: status.code };
}

function metricOf(raw: RawMetric): ReceivedMetric {
  const { name, unit } = raw;
  const [kind, data] = raw.sum
    ? (["sum", raw.sum] as const)
    : raw.histogram
      ? (["histogram", raw.histogram] as const)
      : (["gauge", raw.gauge] as const);
  if (data === undefined) throw new Error(`${name} is of no kind`);
  if ("aggregationTemporality" in data && data.aggregationTemporality !== 2)
    throw new Error(`${name} is not cumulative`);
  if ("isMonotonic" in data && !data.isMonotonic) throw new Error(`${name} may fall`);
  return { name, unit, kind, points: data.dataPoints.map((point) => pointOf(name, point)) };
}

function pointOf(name: string, point: RawPoint) {
  const attributes = plain(point.attributes);
  if (point.bucketCounts === undefined) return { attributes, value: point.asDouble ?? point.asInt ?? Number.NaN };
  if (point.bucketCounts.length !== (point.explicitBounds?.length ?? -1) + 1) throw new Error(`Buckets of ${name}`);
  const count = point.bucketCounts.reduce((sum, each) => sum + Number(each), 0);
  if (count !== Number(point.count)) throw new Error(`The count of ${name} is not that of its buckets`);
  return { attributes, value: point.sum ?? Number.NaN, count };
}

function plain(attributes: readonly RawAttribute[]): Record<string, Value> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: Record<string, unknown>): Value {
  const [[kind, told] = []] = Object.entries(value);
  if (kind === "arrayValue")
    return (told as { values: Record<string, unknown>[] }).values.map((each) => String(plainValue(each)));
  if (kind === "intValue" || kind === "doubleValue") return Number(told);
  if (kind === "boolValue" || kind === "stringValue") return told as Value;
  throw new Error(`A value of the kind ${kind}`);
}
