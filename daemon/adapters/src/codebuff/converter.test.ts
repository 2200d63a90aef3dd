import type { EventBody, ItemStatus } from "@muster/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { json } from "../../test/arbitrary-events.ts";
import { conversionLaws } from "../../test/conversion-laws.ts";
import type { Command } from "../commands.ts";
import { codebuffConverter } from "./converter.ts";
import { losses, unsayable } from "./inverse/law-exceptions.ts";
import { permissionOf } from "./read/on-ask.ts";
import type { CodebuffNative } from "./wire/native.ts";

const text = fc.string({ maxLength: 20, unit: "grapheme" });
const words = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });
const id = fc.stringMatching(/^[a-z0-9_]{1,8}$/);

const subagent = fc.tuple(text, fc.option(text, { nil: undefined }), text, fc.dictionary(text, json, { maxKeys: 2 }));

function subagentEvent(type: "item.started" | "item.completed", status: ItemStatus): fc.Arbitrary<EventBody> {
  return subagent.map(([label, detail, agentType, params]) => ({
    type,
    data: {
      item: {
        itemId: "item_7",
        kind: "status",
        role: "system",
        status,
        content: [
          { type: "status", label, detail },
          { type: "json", json: { agentType, params } },
        ],
      },
    },
  }));
}

/** Of each event Codebuff can say, the shape in which it says it. */
const sayable: fc.Arbitrary<EventBody> = fc.oneof(
  fc
    .tuple(fc.constantFrom("text" as const, "reasoning" as const, "output" as const), words)
    .map(([part, delta]): EventBody => ({ type: "item.delta", data: { itemId: "item_7", index: 0, part, delta } })),
  fc.tuple(text, fc.dictionary(text, json, { maxKeys: 2 })).map(
    ([command, rest]): EventBody => ({
      type: "item.started",
      data: {
        item: {
          itemId: "item_7",
          kind: "tool_call",
          role: "assistant",
          status: "in_progress",
          content: [
            {
              type: "tool_call",
              callId: "call_1",
              name: "run_terminal_command",
              toolKind: "execute",
              input: { ...rest, command },
              title: command,
            },
          ],
        },
      },
    }),
  ),
  subagentEvent("item.started", "in_progress"),
  subagentEvent("item.completed", "completed"),
  fc
    .tuple(fc.constantFrom("completed" as const, "interrupted" as const), fc.nat({ max: 1_000_000 }), fc.nat(5_000))
    .map(
      ([status, tokens, micros]): EventBody => ({
        type: "turn.ended",
        data: {
          turnId: "t",
          status,
          durationMs: 0,
          usage: { inputTokens: tokens, outputTokens: 1 },
          costUsd: micros / 1_000_000,
        },
      }),
    ),
  fc
    .constantFrom("agent_error" as const, "max_steps" as const, "turn_timeout" as const)
    .map((cause): EventBody => ({ type: "turn.ended", data: { turnId: "t", status: "failed", cause, durationMs: 0 } })),
  id.map((messageId): EventBody => ({ type: "message.updated", data: { messageId, status: "joined" } })),
  fc
    .tuple(
      id,
      text,
      text,
      fc.array(text, { maxLength: 2 }),
      fc.constantFrom("execute", "edit", "fetch", "read", "other"),
    )
    .map(([permissionId, title, command, paths, action]): EventBody => {
      const { detail, ...made } = permissionOf({ toolCallId: "none", action, title, command, paths }, undefined);
      return { type: "permission.requested", data: { permissionId, ...made, detail } };
    }),
);

/** A life in which that is open which an event goes on with or ends. */
function stateFor(subject: { body: EventBody } | { command: Command }) {
  const initial = codebuffConverter.initial();
  if (!("body" in subject)) return initial;
  const say = (native: CodebuffNative) => codebuffConverter.step(initial, { native }).state;
  const { body } = subject;
  if (body.type === "item.delta") {
    const { itemId, part } = body.data;
    if (part === "text") return say({ type: "text", text: "before" });
    if (part === "reasoning") return say({ type: "reasoning_delta", text: "before", runId: itemId });
    return say({ type: "tool_call", toolCallId: itemId, toolName: "run_terminal_command", input: {} });
  }
  if (body.type !== "item.completed") return initial;
  const { item } = body.data;
  const native = codebuffConverter.fromUniversal({
    type: "item.started",
    data: { item: { ...item, status: "in_progress" } },
  });
  return native === null ? initial : say(native);
}

conversionLaws({ converter: codebuffConverter, exceptions: unsayable, stateFor, losses, sayable });

test("the shapes that are tried are really said", () => {
  expect(fc.sample(sayable, 500).filter((body) => codebuffConverter.fromUniversal(body) === null)).toEqual([]);
});

describe("whatever Codebuff says", () => {
  const knownTypes = [
    "ready",
    "start",
    "text",
    "reasoning_delta",
    "tool_call",
    "tool_result",
    "error",
    "finish",
    "what",
  ];

  test("any JSON at all becomes signals and never an exception", () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.record({ type: fc.constantFrom(...knownTypes), rest: json })), (line) => {
        const step = codebuffConverter.step(codebuffConverter.initial(), { native: line as unknown as CodebuffNative });
        for (const body of step.bodies) expect(body.type).toMatch(/^(agent\.unparsed|item\.|turn\.|error)/);
      }),
    );
  });

  test("the state it was given stays as it was", () => {
    const before = codebuffConverter.initial();
    const snapshot = structuredClone(before);
    const begun = codebuffConverter.step(before, { native: { type: "text", text: "a" } });
    expect(before).toEqual(snapshot);
    const begunSnapshot = structuredClone(begun.state);
    codebuffConverter.step(begun.state, { native: { type: "finish", totalCost: 0 } });
    expect(begun.state).toEqual(begunSnapshot);
  });
});
