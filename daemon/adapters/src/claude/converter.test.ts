import { type EventBody, PermissionMode } from "@muster/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { json } from "../../test/arbitrary-events.ts";
import { life, message, stream } from "../../test/claude-life.ts";
import { conversionLaws } from "../../test/conversion-laws.ts";
import type { Command } from "../commands.ts";
import { claudeConverter } from "./converter.ts";
import { losses, unsayable } from "./inverse/law-exceptions.ts";
import { agentModeOf } from "./wire/modes.ts";
import type { ClaudeNative } from "./wire/native.ts";

const text = fc.string({ maxLength: 20, unit: "grapheme" });
const item = { itemId: "item_7", role: "assistant" } as const;
const whole = fc.constantFrom("completed" as const, "cancelled" as const);

/** Of each event Claude can say, the shape in which it says it. */
const sayable: fc.Arbitrary<EventBody> = fc.oneof(
  fc.constantFrom("message" as const, "reasoning" as const).map(
    (kind): EventBody => ({
      type: "item.started",
      data: { item: { ...item, kind, status: "in_progress", content: [] } },
    }),
  ),
  fc.tuple(text, fc.dictionary(text, json)).map(
    ([command, rest]): EventBody => ({
      type: "item.started",
      data: {
        item: {
          ...item,
          kind: "tool_call",
          status: "in_progress",
          content: [
            {
              type: "tool_call",
              callId: "toolu_1",
              name: "Bash",
              toolKind: "execute",
              input: { ...rest, command },
              title: command,
            },
          ],
        },
      },
    }),
  ),
  fc.tuple(text, whole).map(
    ([said, status]): EventBody => ({
      type: "item.completed",
      data: { item: { ...item, kind: "message", status, content: [{ type: "text", text: said }] } },
    }),
  ),
  fc.tuple(text, whole).map(
    ([said, status]): EventBody => ({
      type: "item.completed",
      data: {
        item: {
          ...item,
          kind: "reasoning",
          status,
          content: [{ type: "reasoning", text: said, visibility: "public" }],
        },
      },
    }),
  ),
  fc.constantFrom(...PermissionMode.options).map(
    (permissionMode): EventBody => ({
      type: "session.updated",
      data: { permissionMode, agentMode: agentModeOf(permissionMode) },
    }),
  ),
  text.map((title): EventBody => ({ type: "session.updated", data: { title } })),
);

/** A life in which the block an event refers to is being streamed. */
function stateFor(subject: { body: EventBody } | { command: Command }) {
  const state = claudeConverter.initial();
  if (!("body" in subject)) return state;
  const { data } = subject.body;
  const isReasoning = "item" in data && data.item.kind === "reasoning";
  const block = isReasoning ? { type: "thinking", thinking: "" } : { type: "text", text: "" };
  const api_message_id = "itemId" in data ? data.itemId : "item" in data ? (data.item.nativeItemId ?? "item_7") : "";
  const start = { type: "content_block_start", index: 0, content_block: block };
  const isOpen = subject.body.type === "item.delta" || subject.body.type === "item.completed";
  if (!isOpen) return state;
  return claudeConverter.step(state, { native: { type: "stream_event", event: start, api_message_id } }).state;
}

conversionLaws({ converter: claudeConverter, exceptions: unsayable, stateFor, losses, sayable });

test("the shapes that are tried are really said", () => {
  expect(fc.sample(sayable, 500).filter((body) => claudeConverter.fromUniversal(body) === null)).toEqual([]);
});

describe("whatever Claude says", () => {
  test("any JSON at all becomes signals and never an exception", () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.record({ type: fc.constantFrom(...knownTypes), rest: json })), (line) => {
        const { bodies } = claudeConverter.step(claudeConverter.initial(), { native: line as unknown as ClaudeNative });
        for (const body of bodies) expect(body.type).toMatch(/^(agent\.unparsed|item\.|turn\.)/);
      }),
    );
  });

  const knownTypes = ["assistant", "user", "system", "stream_event", "control_request", "command_lifecycle", "what"];

  test("what it did not understand is kept, with the reason", () => {
    const errors = [42, { type: "riddle" }, { type: "system", subtype: "riddle" }, { type: "assistant" }]
      .flatMap((line) => life().say(line))
      .map((body) => (body.type === "agent.unparsed" ? body.data.error : body.type));
    expect(errors).toEqual([
      "The line is not an object",
      'Unknown line: "riddle"',
      "Unknown line: system/riddle",
      "message: Invalid input: expected object, received undefined",
    ]);
  });

  test("the state it was given stays as it was", () => {
    const before = claudeConverter.initial();
    const snapshot = structuredClone(before);
    const start = stream({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    const begun = claudeConverter.step(before, { native: start });
    expect(before).toEqual(snapshot);
    const begunSnapshot = structuredClone(begun.state);
    claudeConverter.step(begun.state, { command: message("m1") });
    claudeConverter.step(begun.state, { native: stream({ type: "message_stop" }) });
    expect(begun.state).toEqual(begunSnapshot);
  });

  test("items are numbered on from the life before, and costs counted on", () => {
    const resume = { nextItem: 12, totals: { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0.5 } };
    const { bodies } = claudeConverter.step(claudeConverter.initial(resume), {
      native: { type: "result", is_error: false, result: "hi", total_cost_usd: 0.75 },
    });
    expect(bodies[0]).toMatchObject({ type: "item.started", data: { item: { itemId: "item_12" } } });
    expect(bodies.at(-1)).toMatchObject({ type: "turn.finished", data: { costUsd: 0.25 } });
  });

  test("a total that began anew is not counted twice and never negative", () => {
    const resume = { nextItem: 1, totals: { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0.5 } };
    const { bodies } = claudeConverter.step(claudeConverter.initial(resume), {
      native: { type: "result", is_error: false, total_cost_usd: 0.125 },
    });
    expect(bodies).toMatchObject([{ type: "turn.finished", data: { costUsd: 0.125 } }]);
  });
});

describe("one-shot answers", () => {
  test("a string is a message", () => {
    expect(life().say("just words")).toMatchObject([
      { type: "item.started" },
      { type: "item.completed", data: { item: { kind: "message", content: [{ type: "text", text: "just words" }] } } },
    ]);
  });

  test("an object with nothing but a result is a message and the end of the turn", () => {
    expect(life().say({ result: "an answer", session_id: "s" })).toMatchObject([
      { type: "item.started" },
      { type: "item.completed", data: { item: { content: [{ type: "text", text: "an answer" }] } } },
      { type: "turn.finished", data: { status: "completed" } },
    ]);
  });

  test("structured output is the output of the turn", () => {
    const said = life().say({ result: "an answer", structured_output: { count: 3 } });
    expect(said.at(-1)).toMatchObject({ type: "turn.finished", data: { output: { count: 3 } } });
  });

  test("an object with an error has failed", () => {
    expect(life().say({ result: null, error: "it broke" })).toMatchObject([
      { type: "error", data: { message: "it broke" } },
      { type: "turn.finished", data: { status: "failed", message: "it broke" } },
    ]);
  });
});
