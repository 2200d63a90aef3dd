import assert from "node:assert/strict";
import { test } from "node:test";
import { type HarnessV1StreamPart, harnessV1StreamPartSchema } from "@ai-sdk/harness";
import type { UniversalEvent } from "@muster/client";
import { recordedSessions } from "../../../daemon/server/test/recorded-events.ts";
import { isRequest, TurnParts } from "../src/turn-parts.ts";

const start: HarnessV1StreamPart = { type: "stream-start" };

/** Every turn of every recorded session of every agent. */
const turns = recordedSessions.flatMap(({ name, events }) =>
  [...new Set(events.flatMap(({ turnId }) => (turnId === undefined ? [] : [turnId])))].map((turnId) => ({
    name: `${name} ${turnId}`,
    events: events.filter((event) => event.turnId === turnId).map((event) => named(event)),
  })),
);

test("every turn of every recording is parts the framework takes, in an order it takes", () => {
  assert.ok(turns.length > 50);
  const kinds = new Set<string>();
  for (const { name, events } of turns) {
    const { parts, isFailed } = tellAll(events, 0);
    for (const part of parts) {
      kinds.add(part.type);
      const { success, error } = harnessV1StreamPartSchema.safeParse(JSON.parse(JSON.stringify(part)));
      assert.ok(success, `${name}: ${part.type}: ${error?.message}`);
    }
    checkOrder(name, parts);
    assert.equal(parts.filter(({ type }) => type === "finish").length, isFailed ? 0 : 1, name);
  }
  for (const kind of [
    "text-delta",
    "reasoning-delta",
    "tool-input-delta",
    "tool-call",
    "tool-approval-request",
    "raw",
  ]) {
    assert.ok(kinds.has(kind), kind);
  }
  assert.ok(!kinds.has("error"));
});

test("told in two halves, cut at any event, a turn says the same texts, calls and results", () => {
  for (const { name, events } of turns) {
    const whole = gist(tellAll(events, 0).parts);
    // Long recordings are cut at every few events: each cut reads the turn again.
    const every = Math.ceil(events.length / 40);
    for (let cut = 1; cut < events.length; cut += every) {
      const halves = [...tellAll(events.slice(0, cut), 0).parts, ...tellAll(events, cut).parts];
      assert.deepEqual(gist(halves), whole, `${name} cut at ${cut}`);
    }
  }
});

test("a retryable error is raw, and the turn goes on", () => {
  const error = { code: "rate_limited", message: "slow down", retryable: true } as const;
  const envelope = { time: "", sessionId: "s", turnId: "turn_1", source: "agent" } as const;
  const events: UniversalEvent[] = [
    { ...envelope, sequence: 1, type: "turn.started", data: { turnId: "turn_1", messageIds: ["m"], origin: "user" } },
    { ...envelope, sequence: 2, type: "error", data: error },
    { ...envelope, sequence: 3, type: "turn.ended", data: { turnId: "turn_1", status: "completed", durationMs: 1 } },
  ];
  const types = tellAll(events, 0).parts.map(({ type }) => type);
  assert.deepEqual(types, ["stream-start", "raw", "finish-step", "finish"]);
});

/** What is told of these events when those before `from` were told already. */
function tellAll(events: readonly UniversalEvent[], from: number) {
  const parts = new TurnParts("m", start);
  const told: HarnessV1StreamPart[] = [];
  for (const event of events.slice(0, from)) parts.take(event);
  if (from > 0) parts.pause();
  for (const event of events.slice(from)) told.push(...(isRequest(event) ? parts.ask(event) : parts.push(event)));
  if (!parts.isOver) told.push(...parts.pause());
  return { parts: told, isFailed: parts.failed !== undefined || !parts.isOver };
}

/** As the engine tells it: messages are ours, and so are the ids of questions; a recording has the agent's. */
function named(event: UniversalEvent): UniversalEvent {
  if (event.type === "turn.started") return { ...event, data: { ...event.data, messageIds: ["m"] } };
  if (event.type !== "question.requested" && event.type !== "question.resolved") return event;
  return { ...event, data: { ...event.data, questionId: `question ${event.data.questionId}` } } as UniversalEvent;
}

function checkOrder(name: string, parts: readonly HarnessV1StreamPart[]): void {
  const open = new Set<string>();
  const ids = new Set<string>();
  const calls = new Set<string>();
  const results = new Set<string>();
  for (const part of parts) {
    if (part.type === "text-start" || part.type === "reasoning-start") {
      assert.ok(!ids.has(part.id), `${name}: ${part.id} twice`);
      ids.add(part.id);
      open.add(part.id);
    } else if (part.type === "text-delta" || part.type === "reasoning-delta") {
      assert.ok(open.has(part.id), `${name}: ${part.id} is not open`);
    } else if (part.type === "text-end" || part.type === "reasoning-end") {
      assert.ok(open.delete(part.id), `${name}: ${part.id} is not open`);
    } else if (part.type === "tool-call") {
      assert.ok(!calls.has(part.toolCallId), `${name}: ${part.toolCallId} told twice`);
      calls.add(part.toolCallId);
    } else if (part.type === "tool-result") {
      assert.ok(calls.has(part.toolCallId), `${name}: a result of ${part.toolCallId}, which was not told`);
      assert.ok(!results.has(part.toolCallId), `${name}: ${part.toolCallId} has two results`);
      results.add(part.toolCallId);
    } else if (part.type === "finish-step" || part.type === "finish" || part.type === "tool-approval-request") {
      assert.deepEqual([...open], [], `${name}: open at ${part.type}`);
    }
  }
  assert.deepEqual([...open], [], name);
}

function gist(parts: readonly HarnessV1StreamPart[]) {
  const text = (type: string) =>
    parts.map((part) => (part.type === type && "delta" in part ? part.delta : "")).join("");
  return {
    text: text("text-delta"),
    reasoning: text("reasoning-delta"),
    calls: parts.filter(({ type }) => type === "tool-call" || type === "tool-result" || type === "finish"),
  };
}

test("parts that only a newer daemon knows are passed over", () => {
  const parts = new TurnParts("msg_1", start);
  const item = {
    itemId: "i",
    kind: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "hologram" }],
  };
  const head = { time: "", sessionId: "s", turnId: "turn_1", source: "agent" };
  const bodies = [
    { type: "turn.started", data: { turnId: "turn_1", messageIds: ["msg_1"] } },
    { type: "item.completed", data: { item } },
  ];
  const events = bodies.map((body, index) => ({ sequence: index + 1, ...head, ...body }) as unknown as UniversalEvent);
  assert.deepEqual(
    events.flatMap((event) => parts.push(event)),
    [start],
  );
});
