import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Conversation } from "@muster/conformance";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { faultsOf } from "./conventions.ts";
import { OtlpReceiver, type ReceivedSpan } from "./otlp-receiver.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const callerSpan = "00f067aa0ba902b7";
const caller = { traceparent: `00-${traceId}-${callerSpan}-01`, tracestate: "vendor=t61rcWkgMzE" };

let receiver: OtlpReceiver;
let home: DaemonHome;
beforeEach(async () => {
  receiver = await OtlpReceiver.start();
});
afterEach(async () => {
  await home.remove();
  await receiver.close();
});

async function start(env: Record<string, string> = {}): Promise<DaemonProcess> {
  home = await DaemonHome.make({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env } });
  return home.start();
}

/** Sends with these headers; resolves when the daemon has taken it. */
async function send(daemon: DaemonProcess, talk: Conversation, message: string, headers: Record<string, string>) {
  const response = await fetch(`${daemon.api.baseUrl}${talk.path}/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ message, messageId: "the-message" }),
  });
  expect(response.status).toBe(202);
}

/** A turn that asks for a permission, gets it, and runs its tool. */
async function turnWithPermission(daemon: DaemonProcess, headers: Record<string, string>): Promise<Conversation> {
  const talk = await Conversation.open(daemon.api);
  await send(daemon, talk, "permission touch a-secret-file", headers);
  const { data } = await talk.until("permission.requested");
  await daemon.api.post(`${talk.path}/permissions/${data.permissionId}/reply`, { reply: "once" });
  await talk.turnOf("the-message");
  await talk.leave();
  return talk;
}

/** Ends the daemon, which sends what is left. */
async function stop(daemon: DaemonProcess): Promise<void> {
  expect(await daemon.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(receiver.faults).toEqual([]);
}

const faults = (spans: readonly ReceivedSpan[], options = {}) => spans.flatMap((span) => faultsOf(span, options));

describe("the trace of a turn with a tool and a permission", () => {
  it("goes on with the caller's, has on each span what the conventions list, and nothing of what was said", async () => {
    const daemon = await start();
    const talk = await turnWithPermission(daemon, caller);
    await stop(daemon);
    const spans = receiver.spans.filter((span) => span.traceId === traceId);
    const [request, turn] = [
      receiver.spans.find((span) => span.parentSpanId === callerSpan),
      receiver.named("invoke_agent mock"),
    ];
    const [tool, wait] = [receiver.named("execute_tool shell"), receiver.named("await_permission")];
    expect(request).toMatchObject({ name: "POST /sessions/{sessionId}/messages", traceState: caller.tracestate });
    expect(request?.attributes).toMatchObject({
      "http.response.status_code": 202,
      "muster.operation": "sessions.sendMessage",
    });
    expect([turn.parentSpanId, tool.parentSpanId, wait.parentSpanId]).toEqual([
      request?.spanId,
      turn.spanId,
      tool.spanId,
    ]);
    expect(spans.map(({ name }) => name).sort()).toEqual([request?.name, turn.name, tool.name, wait.name].sort());
    expect(turn.attributes).toMatchObject({
      "gen_ai.agent.name": "mock",
      "gen_ai.conversation.id": talk.sessionId,
      "gen_ai.provider.name": "mock",
      "muster.turn.id": "turn_1",
      "muster.turn.status": "completed",
    });
    expect(wait.attributes).toMatchObject({ "muster.request.kind": "permission", "muster.request.outcome": "allow" });
    expect([turn.status, tool.status, wait.status]).toEqual([0, 0, 0]);
    expect(wait.startNs >= turn.startNs && wait.endNs <= turn.endNs).toBe(true);
    expect(receiver.spans.length).toBeGreaterThan(5);
    expect(faults(receiver.spans)).toEqual([]);
    expect(receiver.text).not.toContain("a-secret-file");
  });

  it("holds messages, arguments and results where OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT says so", async () => {
    const daemon = await start({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "span_only" });
    await turnWithPermission(daemon, caller);
    await stop(daemon);
    const [turn, tool] = [receiver.named("invoke_agent mock"), receiver.named("execute_tool shell")];
    expect(JSON.parse(String(turn.attributes["gen_ai.input.messages"]))).toEqual([
      { role: "user", parts: [{ type: "text", content: "permission touch a-secret-file" }] },
    ]);
    const [answer] = JSON.parse(String(turn.attributes["gen_ai.output.messages"]));
    expect(answer).toMatchObject({ role: "assistant", parts: [{ type: "text" }] });
    expect(JSON.parse(String(tool.attributes["gen_ai.tool.call.arguments"]))).toEqual({
      command: "touch a-secret-file",
    });
    expect(tool.attributes["gen_ai.tool.call.result"]).toEqual(expect.any(String));
    expect(faults(receiver.spans, { withContent: true })).toEqual([]);
  });
});

describe("a turn", () => {
  it("without a caller's trace, or with one that is none, begins its own", async () => {
    const daemon = await start();
    const talk = await Conversation.open(daemon.api);
    await send(daemon, talk, "echo hello", { traceparent: "00-00000000000000000000000000000000-0000000000000000-01" });
    await talk.turnOf("the-message");
    await talk.leave();
    await stop(daemon);
    const turn = receiver.named("invoke_agent mock");
    const request = receiver.spans.find(({ spanId }) => spanId === turn.parentSpanId);
    expect(request).toMatchObject({ name: "POST /sessions/{sessionId}/messages", traceId: turn.traceId });
    expect(request?.parentSpanId).toBeUndefined();
  });

  it("is not recorded when its caller's trace is not", async () => {
    const daemon = await start();
    const talk = await Conversation.open(daemon.api);
    await send(daemon, talk, "echo hello", { traceparent: `00-${traceId}-${callerSpan}-00` });
    await talk.turnOf("the-message");
    await talk.leave();
    await stop(daemon);
    expect(receiver.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    expect(receiver.spans.map(({ name }) => name)).not.toContain("invoke_agent mock");
  });

  it("that a person interrupts is no error; one that fails is, with its cause", async () => {
    const daemon = await start();
    const talk = await Conversation.open(daemon.api);
    await talk.send("hang-tool");
    await talk.until("item.started", ({ item }) => item.kind === "tool_call");
    await daemon.api.post(`${talk.path}/interrupt`, {});
    await talk.until("turn.ended");
    await talk.say("error");
    await talk.leave();
    await stop(daemon);
    const turns = receiver.spans.filter(({ name }) => name === "invoke_agent mock");
    expect(
      turns.map(({ status, attributes }) => [status, attributes["muster.turn.status"], attributes["error.type"]]),
    ).toEqual([
      [0, "interrupted", undefined],
      [2, "failed", "provider_error"],
    ]);
    expect(receiver.named("execute_tool shell")).toMatchObject({
      status: 0,
      attributes: { "muster.tool.status": "cancelled" },
    });
    expect(faults(receiver.spans)).toEqual([]);
  });

  it("is told of under the name and the attributes that the environment gives the service", async () => {
    const daemon = await start({
      OTEL_SERVICE_NAME: "my-daemon",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging,service.name=hidden",
    });
    await daemon.api.get("/health");
    await stop(daemon);
    for (const resource of receiver.resources) {
      expect(resource).toMatchObject({ "service.name": "my-daemon", "deployment.environment.name": "staging" });
    }
    expect(receiver.resources.length).toBeGreaterThan(1);
  });
});

it("a receiver that takes nothing is told of in the log, and the daemon ends all the same", async () => {
  const silent = createServer(() => {});
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const { port } = silent.address() as AddressInfo;
  const daemon = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  await stop(daemon);
  expect(daemon.stderr).toContain("The receiver did not take them");
  silent.closeAllConnections();
  silent.close();
});

it("figures go over OTLP under their names there, with the same numbers as /metrics", async () => {
  const daemon = await start();
  const talk = await Conversation.open(daemon.api);
  await talk.say("usage");
  await talk.leave();
  await stop(daemon);
  const last = (name: string) => receiver.metrics.filter((metric) => metric.name === name).at(-1);
  expect(last("gen_ai.invoke_agent.duration")).toMatchObject({
    kind: "histogram",
    unit: "s",
    points: [{ attributes: { "gen_ai.agent.name": "mock", "muster.turn.status": "completed" }, count: 1 }],
  });
  expect(last("muster.turns.started")).toMatchObject({ kind: "sum", points: [{ value: 1 }] });
  expect(
    last("http.server.request.duration")?.points.map(({ attributes }) => attributes["muster.operation"]),
  ).toContain("sessions.sendMessage");
  expect(last("process.memory.usage")?.points[0]?.value).toBeGreaterThan(1e6);
  expect(last("muster.build")?.points[0]?.attributes).toMatchObject({ "service.version": expect.any(String) });
});
