import type { UniversalEvent } from "@muster/schema";
import type { UIMessage, UIMessageChunk } from "ai";
import * as latest from "ai";
import * as first from "ai-first";
import { describe, expect, test } from "vitest";
import { recordedSessions } from "../../test/recorded-events.ts";
import { TurnChunks } from "./turn-chunks.ts";
import type { TurnChunk } from "./ui-chunk.ts";

const turns = recordedSessions.flatMap(({ name, events }) =>
  events.flatMap((event, index) => {
    if (event.type !== "turn.started") return [];
    const { turnId } = event.data;
    return [{ name: `${name} ${turnId}`, turnId, events: events.slice(index) }];
  }),
);

test("the recordings hold everything there is to tell", () => {
  const types = turns.flatMap(({ turnId, events }) => chunksOf(turnId, events).map(({ type }) => type));
  for (const type of [
    ...["start", "finish", "abort", "error", "text-delta", "reasoning-delta", "tool-input-delta", "tool-output-error"],
    ...["tool-approval-request", "tool-output-denied", "data-question", "data-plan", "data-usage", "data-status"],
  ])
    expect(types).toContain(type);
});

test("events and parts that only a newer daemon knows are passed over", () => {
  const chunks = new TurnChunks({ turnId: "turn_1" });
  const item = {
    itemId: "i",
    kind: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "hologram" }],
  };
  const bodies = [
    { type: "turn.started", data: { turnId: "turn_1", messageIds: [] } },
    { type: "session.dreamt", data: {} },
    { type: "item.completed", data: { item } },
  ];
  const head = { time: "", sessionId: "s", turnId: "turn_1", source: "agent" };
  const events = bodies.map((body, index) => ({ sequence: index + 1, ...head, ...body }) as unknown as UniversalEvent);
  expect(events.flatMap((event) => chunks.push(event)).map(({ type }) => type)).toEqual(["start", "start-step"]);
});

/** The first release is strict about fields it does not know and cannot go on with half a tool's input. */
describe.each([
  ["6.0.0", first as unknown as typeof latest],
  ["6", latest],
] as const)("ai %s", (_, ai) => {
  test.each(turns)("takes every chunk of $name and makes the agent's message of them", async ({ turnId, events }) => {
    const chunks = chunksOf(turnId, events);
    await check(ai, chunks);
    // A client stops reading at an error: it is the end of a turn that failed, and no trouble on the way is one.
    const errors = chunks.filter(({ type }) => type === "error");
    expect(errors).toEqual(chunks.at(-1)?.type === "error" ? chunks.slice(-1) : []);
    const message = await messageOf(ai, [chunks]);
    expect(message?.id).toBe(turnId);
    expect(textOf(message)).toBe(toldText(turnId, events));
    // A call that is over has its end, whatever the agent has told of it.
    expect(
      toolStates(message).filter((state) => state === "approval-requested" || state === "input-streaming"),
    ).toEqual(unanswered(turnId, events));
  });

  test.each(turns.filter(({ turnId, events }) => events.some((event) => isRequest(turnId, event))))(
    "a stream that ends at every request of $name makes the same message",
    async ({ turnId, events }) => {
      const whole = await messageOf(ai, [chunksOf(turnId, events)]);
      const message = await messageOf(ai, chunksByRequest(turnId, events));
      for (const stream of messagesByRequest(turnId, events)) await messageOf(ai, [stream]);
      expect(textOf(message)).toBe(textOf(whole));
      expect(toolStates(message)).toEqual(toolStates(whole));
      expect(message?.id).toBe(turnId);
    },
  );
});

function chunksOf(turnId: string, events: readonly UniversalEvent[]): TurnChunk[] {
  const chunks = new TurnChunks({ turnId });
  return events.flatMap((event) => chunks.push(event));
}

/** One stream up to each request, and one for the rest. */
function chunksByRequest(turnId: string, events: readonly UniversalEvent[]): TurnChunk[][] {
  const chunks = new TurnChunks({ turnId });
  const streams: TurnChunk[][] = [[]];
  for (const event of events) {
    streams.at(-1)?.push(...chunks.push(event));
    if (!isRequest(turnId, event)) continue;
    streams.at(-1)?.push(...chunks.pause());
    streams.push(chunks.goOn());
  }
  return streams;
}

/** The same where a person writes at each request: every stream is a message of its own. */
function messagesByRequest(turnId: string, events: readonly UniversalEvent[]): TurnChunk[][] {
  const chunks = new TurnChunks({ turnId });
  const streams: TurnChunk[][] = [[]];
  for (const event of events) {
    streams.at(-1)?.push(...chunks.push(event));
    if (!isRequest(turnId, event)) continue;
    streams.at(-1)?.push(...chunks.pause());
    chunks.beginMessage();
    streams.push(chunks.goOn(`${turnId}:${event.sequence}`));
  }
  return streams;
}

function isRequest(turnId: string, event: UniversalEvent): boolean {
  return event.turnId === turnId && (event.type === "permission.requested" || event.type === "question.requested");
}

type Ai = typeof latest;

async function check({ uiMessageChunkSchema }: Ai, chunks: readonly TurnChunk[]): Promise<void> {
  const { validate } = uiMessageChunkSchema();
  for (const chunk of chunks) {
    const result = await validate?.(JSON.parse(JSON.stringify(chunk)));
    expect(result, JSON.stringify(chunk)).toMatchObject({ success: true });
  }
}

/** As the official reader puts it together; an `error` chunk ends its stream, as it does in `useChat`. */
async function messageOf({ readUIMessageStream }: Ai, streams: readonly TurnChunk[][]): Promise<UIMessage | undefined> {
  let message: UIMessage | undefined;
  for (const chunks of streams) {
    const wire = chunks.map((chunk) => JSON.parse(JSON.stringify(chunk)) as UIMessageChunk);
    const stream = new ReadableStream<UIMessageChunk>({
      start(controller) {
        for (const chunk of wire) if (chunk.type !== "error") controller.enqueue(chunk);
        controller.close();
      },
    });
    for await (const next of readUIMessageStream({ stream, message, terminateOnError: true })) message = next;
  }
  return message;
}

function textOf(message: UIMessage | undefined): string {
  return (
    message?.parts.map((part) => (part.type === "text" || part.type === "reasoning" ? part.text : "")).join("") ?? ""
  );
}

function toolStates(message: UIMessage | undefined): string[] {
  return message?.parts.flatMap((part) => (part.type === "dynamic-tool" ? [part.state] : [])) ?? [];
}

/** What the events say was written, in the order in which it was begun. */
function toldText(turnId: string, events: readonly UniversalEvent[]): string {
  const blocks = new Map<string, string>();
  for (const event of events) {
    if (event.turnId !== turnId) continue;
    if (event.type === "item.delta" && (event.data.part === "text" || event.data.part === "reasoning")) {
      const key = `${event.data.itemId}.${event.data.index}`;
      blocks.set(key, (blocks.get(key) ?? "") + event.data.delta);
    }
    if (event.type !== "item.completed" || event.data.item.role === "user" || event.data.item.kind === "status")
      continue;
    for (const [index, part] of event.data.item.content.entries()) {
      const isText = part.type === "text" || part.type === "plan" || part.type === "reasoning";
      if (isText) blocks.set(`${event.data.item.itemId}.${index}`, part.text);
    }
  }
  return [...blocks.values()].join("");
}

/** States of calls for which the recording ends before anybody answered. */
function unanswered(turnId: string, events: readonly UniversalEvent[]): string[] {
  const open = new Set<string>();
  for (const event of events) {
    if (event.turnId !== turnId) continue;
    if (event.type === "permission.requested") open.add(event.data.permissionId);
    if (event.type === "permission.resolved") open.delete(event.data.permissionId);
  }
  return [...open].map(() => "approval-requested");
}
