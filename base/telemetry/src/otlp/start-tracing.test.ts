import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { startTracing } from "./start-tracing.ts";

const options = { serviceName: "example", version: "1.2.3", scope: "example-scope" };

it("without an endpoint there is no tracing", async () => {
  expect(await startTracing({}, options)).toBeUndefined();
  expect(await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: "" }, options)).toBeUndefined();
});

it.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "/", "/v1/traces"],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "/here", "/here"],
])("spans go where %s says, at the latest when tracing is closed", async (name, path, expected) => {
  const bodies: string[] = [];
  const collector = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(`${request.url} ${body}`);
    response.setHeader("content-type", "application/json").end("{}");
  });
  await once(collector.listen(0, "127.0.0.1"), "listening");
  const { port } = collector.address() as AddressInfo;
  try {
    const tracing = await startTracing({ [name]: `http://127.0.0.1:${port}${path}` }, options);
    tracing?.tracer.startSpan("work", { kind: tracing.SpanKind.CLIENT }).end();
    await tracing?.close();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.startsWith(`${expected} `)).toBe(true);
    for (const text of ['"example"', '"1.2.3"', '"example-scope"', '"name":"work"']) expect(bodies[0]).toContain(text);
  } finally {
    collector.close();
  }
});
