import { expect, it } from "vitest";
import { createLog } from "../src/log.ts";
import { startProvider } from "./provider.ts";
import { startTestServer } from "./test-server.ts";

it("with an OTLP endpoint every model call is a span", async () => {
  const collector = await startProvider((_request, response) => void response.writeHead(200).end("{}"));
  const server = await startTestServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  const person = await server.person("a@example.com");
  await (await server.chat(person, await server.run(person))).text();
  await server.close();
  const [sent] = collector.requests;
  expect(sent?.path).toBe("/v1/traces");
  const text = JSON.stringify(sent?.body);
  for (const fact of ["chat anthropic/claude-sonnet-4.5", "codebuff.units", "gen_ai.usage.input_tokens", "completed"]) {
    expect(text).toContain(fact);
  }
  expect(text).not.toContain(person.key);
  await collector.close();
});

it("a log line is JSON without secrets, and quiet below its level", () => {
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  log("debug", "not told");
  log("info", "told", {
    a: "Bearer abc.def",
    b: "key cb-pat-0123456789abcdef and sk-or-v1-0123456789",
    c: "postgres://codebuff:hunter2@127.0.0.1/x",
  });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "info", message: "told" });
  expect(lines[0]).not.toMatch(/abc\.def|0123456789|hunter2/);
});
