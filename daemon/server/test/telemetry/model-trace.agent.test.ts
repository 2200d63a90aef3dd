import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { readExposition } from "../../../../base/telemetry/test/exposition.ts";
import { behindGateway, gatewayHome, modelOf, talkTo } from "../agents/gateway/gateway-home.ts";
import { testsOf } from "../agents/installed-agent.ts";
import { faultsOf } from "./conventions.ts";
import { OtlpReceiver } from "./otlp-receiver.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const callerSpan = "00f067aa0ba902b7";

/** Whose requests go by two protocols; OpenCode sends as Claude does. */
describe.each(["claude", "codex", "codebuff"] as const)("a turn of %s behind the gateway", async (agent) => {
  const { program, test } = await testsOf(agent);

  test("is one trace from the caller's request to its model calls, its tool and the permission", async () => {
    const receiver = await OtlpReceiver.start();
    onTestFinished(() => receiver.close());
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
    const { home, daemon } = await gatewayHome({ [agent]: program?.path ?? "" }, { env });
    const first = { input: 1_200, cachedInput: 1_000, output: 40 };
    const llm = await modelOf([
      // Titles and the like are asked for without tools.
      { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" }] },
      {
        turns: [
          { text: "I make it.", tools: [{ name: "run_command", input: { command: "touch made.txt" } }], usage: first },
          { text: "It is made.", times: "always" },
        ],
      },
    ]);
    const directory = await mkdtemp(join(home.path, "work-"));
    const settings = { agent, ...behindGateway[agent], baseUrl: llm.url, directory };
    const talk = await talkTo(daemon, { ...settings, permissionMode: "default" });
    const sent = await fetch(`${daemon.api.baseUrl}${talk.path}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", traceparent: `00-${traceId}-${callerSpan}-01` },
      body: JSON.stringify({ message: "make the file", messageId: "m" }),
    });
    expect(sent.status).toBe(202);
    const { data } = await talk.until("permission.requested");
    await daemon.api.post(`${talk.path}/permissions/${data.permissionId}/reply`, { reply: "once" });
    const { end } = await talk.turnOf("m");
    expect(llm.failures()).toEqual([]);
    expect(end.status).toBe("completed");
    const figures = readExposition(await daemon.api.get<string>("/metrics"));
    await talk.leave();
    expect(await daemon.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(receiver.faults).toEqual([]);

    const spans = receiver.spans.filter((span) => span.traceId === traceId);
    const operation = (name: string) => spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] === name);
    const [request] = spans.filter(({ parentSpanId }) => parentSpanId === callerSpan);
    const [turn, ...otherTurns] = operation("invoke_agent");
    const [tool, ...otherTools] = operation("execute_tool");
    const waits = spans.filter(({ name }) => name === "await_permission");
    expect([otherTurns, otherTools]).toEqual([[], []]);
    expect([request?.name, turn?.name]).toEqual(["POST /sessions/{sessionId}/messages", `invoke_agent ${agent}`]);
    expect([turn?.parentSpanId, tool?.parentSpanId]).toEqual([request?.spanId, turn?.spanId]);
    expect(waits.map(({ parentSpanId }) => parentSpanId)).toEqual([tool?.spanId]);

    const calls = operation("chat");
    expect(calls.length).toBeGreaterThanOrEqual(2);
    expect(new Set(calls.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([turn?.spanId]));
    const asking = calls.find(({ attributes }) => attributes["gen_ai.usage.input_tokens"] === first.input);
    expect(asking?.attributes).toMatchObject({
      "gen_ai.conversation.id": talk.sessionId,
      "gen_ai.agent.name": agent,
      "gen_ai.request.model": expect.any(String),
      "gen_ai.request.stream": true,
      "gen_ai.response.model": expect.any(String),
      "gen_ai.response.id": expect.any(String),
      "gen_ai.response.finish_reasons": [expect.any(String)],
      "gen_ai.response.time_to_first_chunk": expect.any(Number),
      "gen_ai.usage.output_tokens": first.output,
      "gen_ai.usage.cache_read.input_tokens": first.cachedInput,
      "muster.cost.usd": expect.any(Number),
    });
    for (const inside of [...calls, ...waits, tool])
      expect((inside?.startNs ?? 0n) >= (turn?.startNs ?? 0n)).toBe(true);
    expect(receiver.spans.flatMap((span) => faultsOf(span))).toEqual([]);
    expect(receiver.text).not.toMatch(/made\.txt|sk-(ant-)?real/);
    // The figures of the same calls, by agent and model.
    const counted = figures.get("muster_model_calls_total")?.samples ?? [];
    expect(counted.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThanOrEqual(calls.length);
    expect(new Set(counted.map(({ labels }) => labels.agent))).toEqual(new Set([agent]));
  });
});
