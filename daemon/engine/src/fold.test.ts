import type { EventBody, EventSource } from "@muster/schema";
import { describe, expect, it } from "vitest";
import { type Checkpoint, checkpointOf, foldOf } from "./checkpoint.ts";
import { emptyFold, fold, textOf } from "./fold.ts";

function folded(...bodies: (EventBody | [EventSource, EventBody])[]) {
  const state = emptyFold("2026-01-01T00:00:00.000Z");
  for (const [index, entry] of bodies.entries()) {
    const [source, body] = Array.isArray(entry) ? entry : (["daemon", entry] as const);
    const turnId = body.type === "turn.started" ? body.data.turnId : state.turn?.turnId;
    fold(state, { sequence: index + 1, time: "2026-01-01T00:00:01.000Z", source, turnId, body });
  }
  return state;
}

const queued = (messageId: string): EventBody => ({
  type: "message.updated",
  data: { messageId, status: "queued", message: `text of ${messageId}`, delivery: "queue", digest: "d" },
});
const turnStarted: EventBody = { type: "turn.started", data: { turnId: "turn_1", messageIds: ["m1"], origin: "user" } };
const turnEnded: EventBody = {
  type: "turn.ended",
  data: {
    turnId: "turn_1",
    status: "completed",
    durationMs: 5,
    costUsd: 0.5,
    usage: { inputTokens: 3, outputTokens: 4 },
  },
};
const asked: EventBody = {
  type: "permission.requested",
  data: {
    permissionId: "permission_1",
    action: "execute",
    title: "ls",
    alwaysScope: [{ action: "execute", pattern: "ls" }],
  },
};

describe("fold", () => {
  it("keeps queued messages in order with what they say", () => {
    const { queue } = folded(queued("m1"), queued("m2"), {
      type: "message.updated",
      data: { messageId: "m1", status: "cancelled" },
    });
    expect([...queue.values()]).toEqual([{ messageId: "m2", text: "text of m2", attachments: [], delivery: "queue" }]);
  });

  it("knows with which event everything about a message was over", () => {
    const given: EventBody = { type: "message.updated", data: { messageId: "m1", status: "given", turnId: "turn_1" } };
    const { messages } = folded(queued("m1"), given, turnStarted, turnEnded);
    expect(messages.get("m1")).toEqual({ sequence: 1, digest: "d", status: "given", turnId: "turn_1", endSequence: 4 });
  });

  it("sees a turn as alive only once the agent itself has spoken in it", () => {
    const plan: EventBody = { type: "plan.updated", data: { entries: [] } };
    expect(folded(turnStarted, plan).turn?.alive).toBe(false);
    expect(folded(turnStarted, ["agent", plan]).turn?.alive).toBe(true);
  });

  it("adds up usage and cost over turns", () => {
    const second: EventBody = { type: "turn.started", data: { turnId: "turn_2", messageIds: [], origin: "agent" } };
    const state = folded(turnStarted, turnEnded, second, {
      ...turnEnded,
      data: { ...turnEnded.data, turnId: "turn_2" },
    });
    expect([state.usage, state.costUsd, state.next.turn]).toEqual([{ inputTokens: 6, outputTokens: 8 }, 1, 3]);
  });

  it("makes a rule of an always answer, and of nothing else", () => {
    const answer = (decision: "allow" | "reject", scope?: "once" | "session"): EventBody => ({
      type: "permission.resolved",
      data: { permissionId: "permission_1", decision, by: "user", scope },
    });
    expect(folded(asked, answer("allow", "session")).rules).toEqual([{ action: "execute", pattern: "ls" }]);
    expect(folded(asked, answer("allow", "once")).rules).toEqual([]);
    expect(folded(asked, answer("reject")).rules).toEqual([]);
  });

  it("collects the text of open items and forgets it when they close", () => {
    const item = { itemId: "item_7", kind: "message", status: "in_progress", content: [] } as const;
    const started: EventBody = { type: "item.started", data: { item: { ...item, content: [] } } };
    const delta = (text: string): EventBody => ({
      type: "item.delta",
      data: { itemId: "item_7", index: 0, part: "text", delta: text },
    });
    const open = folded(started, delta("a"), delta("b"));
    const item7 = open.items.get("item_7");
    expect(item7 && textOf(item7)).toEqual({ 0: "ab" });
    expect(open.next.item).toBe(8);
    const many = Array.from({ length: 1_500 }, (_, at) => `${at} `);
    const long = folded(started, ...many.map(delta)).items.get("item_7");
    expect(long && textOf(long)).toEqual({ 0: many.join("") });
    const done: EventBody = { type: "item.completed", data: { item: { ...item, content: [] } } };
    expect(folded(started, delta("a"), done).items.size).toBe(0);
  });

  it("is the same state after it was stored as JSON", () => {
    const state = folded(queued("m1"), queued("m2"), turnStarted, asked);
    const stored: Checkpoint = JSON.parse(JSON.stringify(checkpointOf(state)));
    expect(stored.queue.map(({ messageId }) => messageId)).toEqual(["m1", "m2"]);
    expect(foldOf(stored)).toEqual(state);
  });

  it("forgets the oldest messages that are settled, and none that waits", () => {
    const settled = (messageId: string): EventBody => ({
      type: "message.updated",
      data: { messageId, status: "cancelled" },
    });
    const waiting = Array.from({ length: 1_500 }, (_, at) => queued(`w${at}`));
    const over = Array.from({ length: 11_500 }, (_, at) => [queued(`s${at}`), settled(`s${at}`)]).flat();
    const { messages, queue } = folded(...waiting, ...over);
    expect(queue.size).toBe(1_500);
    expect([...queue.keys()].every((id) => messages.has(id))).toBe(true);
    expect([messages.has("s0"), messages.has("s11499")]).toEqual([false, true]);
    expect(messages.size).toBeLessThan(12_100);
  });
});
