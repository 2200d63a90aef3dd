import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { life, message, stream } from "../../test/claude-life.ts";
import { json } from "../../test/conversion/arbitrary-commands.ts";
import { snapshotOf } from "../../test/snapshot-of.ts";
import { claudeConverter } from "./converter.ts";
import type { ClaudeNative } from "./wire/native.ts";

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
    const snapshot = snapshotOf(before);
    const start = stream({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    const begun = claudeConverter.step(before, { native: start });
    expect(snapshotOf(before)).toEqual(snapshot);
    const begunSnapshot = snapshotOf(begun.state);
    claudeConverter.step(begun.state, { command: message("m1") });
    claudeConverter.step(begun.state, { native: stream({ type: "message_stop" }) });
    expect(snapshotOf(begun.state)).toEqual(begunSnapshot);
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
  test("a string is a message and the end of the turn", () => {
    expect(life().say("just words")).toMatchObject([
      { type: "item.started" },
      { type: "item.completed", data: { item: { kind: "message", content: [{ type: "text", text: "just words" }] } } },
      { type: "turn.finished", data: { status: "completed" } },
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
