import type { EventBody, UniversalEvent } from "@muster/schema";
import { expect, it } from "vitest";
import { foldMessages } from "./message-view.ts";

const time = "2026-01-01T00:00:00.000Z";
async function* logOf(...bodies: EventBody[]): AsyncGenerator<UniversalEvent> {
  for (const [index, body] of bodies.entries()) {
    yield { sequence: index + 1, time, sessionId: "s", turnId: "turn_1", source: "agent", ...body };
  }
}

it("shows what was written, the unparsed too, and what is still waiting or growing", async () => {
  const answer = { itemId: "item_1", kind: "message", role: "assistant", status: "in_progress", content: [] } as const;
  const text = { type: "text", text: "hello" } as const;
  const messages = await foldMessages(
    logOf(
      { type: "message.updated", data: { messageId: "m1", status: "queued", message: "hi" } },
      { type: "message.updated", data: { messageId: "m1", status: "given", turnId: "turn_1" } },
      {
        type: "item.started",
        data: { item: { itemId: "user_1", kind: "message", role: "user", status: "completed", content: [] } },
      },
      { type: "item.started", data: { item: { ...answer, content: [] } } },
      { type: "agent.unparsed", data: { raw: "???", error: "no JSON", location: "line" } },
      { type: "item.completed", data: { item: { ...answer, status: "completed", content: [text] } } },
      { type: "message.updated", data: { messageId: "m2", status: "queued", message: "and then?" } },
    ),
  );
  expect(messages).toEqual([
    {
      role: "user",
      messageId: "m1",
      turnId: "turn_1",
      status: "completed",
      parts: [{ type: "text", text: "hi" }],
      createdAt: time,
    },
    { role: "assistant", messageId: "item_1", turnId: "turn_1", status: "completed", parts: [text], createdAt: time },
    { role: "unparsed", messageId: "unparsed_5", turnId: "turn_1", raw: "???", error: "no JSON", createdAt: time },
    { role: "user", messageId: "m2", status: "queued", parts: [{ type: "text", text: "and then?" }], createdAt: time },
  ]);
});
