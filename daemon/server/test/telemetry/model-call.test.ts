import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readExposition } from "../../../../base/telemetry/test/exposition.ts";
import { type RunningEngine, startEngine } from "../../src/engine/running-engine.ts";
import { faultsOf } from "./conventions.ts";
import { OtlpReceiver } from "./otlp-receiver.ts";

let folder: string;
let receiver: OtlpReceiver;
let running: RunningEngine;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "muster-model-call-"));
  receiver = await OtlpReceiver.start();
  const env = { PATH: process.env.PATH, HOME: folder, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  const settings = { durability: "none", keepRaw: false, logLevel: "silent" } as const;
  running = await startEngine({ ...settings, dataDirectory: join(folder, "data"), defaultDirectory: folder, env }, []);
  running.engine.begin();
});
afterEach(async () => {
  await receiver.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function stop(): Promise<void> {
  await running.engine.close();
  await running.endTelemetry();
  expect(receiver.faults).toEqual([]);
}

const call = { provider: "anthropic", model: "claude-opus-4-5" };
const usage = { inputTokens: 120, outputTokens: 30, cachedInputTokens: 100, reasoningTokens: 5 };

it("a model call is a span in its session's turn, and figures by agent and model", async () => {
  const { engine, metrics } = running;
  await engine.sessions.create("s", { agent: "mock" });
  const session = await engine.sessions.get("s");
  const asked = new Promise<void>((resolve) => {
    engine.feed.subscribe(({ line }) => line.includes('"permission.requested"') && resolve());
  });
  const { messageId } = await session.send({ message: "permission ls" });
  await asked;
  const end = session.startModelCall(call);
  const told = {
    isStream: true,
    responseModel: "claude-opus-4-5-1",
    responseId: "msg_1",
    finishReasons: ["end_turn"],
    firstByteMs: 250,
  };
  end({ status: "completed", ...told, usage, costUsd: 0.25 });
  // Told twice, counted once.
  end({ status: "failed" });
  session.startModelCall(call)({ status: "failed", errorType: "429" });
  session.startModelCall(call)({ status: "cancelled" });
  await session.interrupt({});
  await session.messageEnd(messageId);
  session.startModelCall({ ...call, model: "outside" })({ status: "completed" });
  const text = metrics.text();
  await stop();

  const turn = receiver.named("invoke_agent mock");
  const calls = receiver.spans.filter(({ name }) => name === "chat claude-opus-4-5");
  expect(calls.map(({ parentSpanId, status }) => [parentSpanId, status])).toEqual([
    [turn.spanId, 0],
    [turn.spanId, 2],
    [turn.spanId, 0],
  ]);
  expect(calls[0]?.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.request.model": "claude-opus-4-5",
    "gen_ai.request.stream": true,
    "gen_ai.conversation.id": "s",
    "gen_ai.agent.name": "mock",
    "gen_ai.response.model": "claude-opus-4-5-1",
    "gen_ai.response.id": "msg_1",
    "gen_ai.response.finish_reasons": ["end_turn"],
    "gen_ai.response.time_to_first_chunk": 0.25,
    "gen_ai.usage.input_tokens": 120,
    "gen_ai.usage.output_tokens": 30,
    "gen_ai.usage.cache_read.input_tokens": 100,
    "gen_ai.usage.reasoning.output_tokens": 5,
    "muster.cost.usd": 0.25,
  });
  expect(calls[1]?.attributes["error.type"]).toBe("429");
  const outside = receiver.named("chat outside");
  expect([outside.parentSpanId, outside.traceId === turn.traceId]).toEqual([undefined, false]);
  expect(receiver.spans.flatMap((span) => faultsOf(span))).toEqual([]);

  const read = readExposition(text);
  const of = (name: string) =>
    read.get(name)?.samples.map(({ labels, value }) => [Object.values(labels).join(" "), value]);
  expect(of("muster_model_calls_total")).toEqual([
    ["mock claude-opus-4-5 completed", 1],
    ["mock claude-opus-4-5 failed", 1],
    ["mock claude-opus-4-5 cancelled", 1],
    ["mock outside completed", 1],
  ]);
  expect(of("muster_model_tokens_total")).toEqual([
    ["mock claude-opus-4-5 input", 120],
    ["mock claude-opus-4-5 output", 30],
    ["mock claude-opus-4-5 cached_input", 100],
    ["mock claude-opus-4-5 reasoning", 5],
  ]);
  expect(of("muster_model_cost_usd_total")).toEqual([["mock claude-opus-4-5", 0.25]]);
  // Of each histogram the number of calls and their sum.
  const sumsOf = (name: string) =>
    read
      .get(name)
      ?.samples.filter(({ labels }) => labels.le === undefined)
      .map(({ labels, value }) => [Object.values(labels).join(" "), value]);
  expect(sumsOf("muster_model_call_tokens")).toEqual([
    ["mock claude-opus-4-5 input", 120],
    ["mock claude-opus-4-5 input", 1],
    ["mock claude-opus-4-5 output", 30],
    ["mock claude-opus-4-5 output", 1],
    ["mock claude-opus-4-5 cached_input", 100],
    ["mock claude-opus-4-5 cached_input", 1],
    ["mock claude-opus-4-5 reasoning", 5],
    ["mock claude-opus-4-5 reasoning", 1],
  ]);
  expect(sumsOf("muster_model_call_cost_usd")).toEqual([
    ["mock claude-opus-4-5", 0.25],
    ["mock claude-opus-4-5", 1],
  ]);
  expect(of("muster_model_first_byte_seconds")?.at(-2)).toEqual(["mock claude-opus-4-5", 0.25]);
});
