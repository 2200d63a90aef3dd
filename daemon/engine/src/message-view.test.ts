import type { EventBody, Item, UniversalEvent } from "@muster/schema";
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

it("is in the order of turns, whatever was sent, asked or came late; what was never given is marked", async () => {
  const item = (itemId: string, text: string): Item => {
    return { itemId, kind: "message", role: "assistant", status: "completed", content: [{ type: "text", text }] };
  };
  const queued = (messageId: string): EventBody => {
    return { type: "message.updated", data: { messageId, status: "queued", message: messageId } };
  };
  const given = (messageId: string, turnId: string): EventBody => {
    return { type: "message.updated", data: { messageId, status: "given", turnId } };
  };
  const started = (text: string): EventBody => ({ type: "item.started", data: { item: item(text, text) } });
  const asked: EventBody = {
    type: "question.requested",
    data: {
      questionId: "question_1",
      kind: "question",
      questions: [
        {
          id: "q",
          question: "Which?",
          type: "string",
          options: [{ id: "a", label: "A" }],
          multiSelect: false,
          allowCustom: true,
        },
      ],
    },
  };
  const answered: EventBody = {
    type: "question.resolved",
    data: { questionId: "question_1", status: "answered", answers: [["A"]] },
  };
  async function* log(): AsyncGenerator<UniversalEvent> {
    const steps: [string | undefined, EventBody][] = [
      [undefined, queued("m1")],
      ["turn_1", given("m1", "turn_1")],
      [undefined, queued("m2")],
      [undefined, queued("m3")],
      ["turn_1", started("one")],
      ["turn_1", asked],
      [undefined, { type: "message.updated", data: { messageId: "m3", status: "cancelled" } }],
      ["turn_1", answered],
      [undefined, queued("m4")],
      ["turn_2", given("m2", "turn_2")],
      ["turn_2", started("two")],
      ["turn_1", started("late")],
    ];
    for (const [at, [turnId, body]] of steps.entries()) {
      yield { sequence: at + 1, time, sessionId: "s", turnId, source: "agent", ...body };
    }
  }
  const shown = (await foldMessages(log())).map((message) =>
    message.role === "unparsed"
      ? ""
      : `${message.role} ${message.status}: ${message.parts.map((part) => (part.type === "text" ? part.text : "")).join()}`,
  );
  expect(shown).toEqual([
    "user completed: m1",
    "assistant completed: one",
    "assistant completed: Which?\n- A",
    "user cancelled: m3",
    "user completed: A",
    "assistant completed: late",
    "user completed: m2",
    "assistant completed: two",
    "user queued: m4",
  ]);
});
