import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { json } from "../../test/conversion/arbitrary-commands.ts";
import { snapshotOf } from "../../test/snapshot-of.ts";
import { type MockState, mockConverter } from "./converter.ts";
import type { MockNative } from "./wire/native.ts";

describe("the converter", () => {
  const step = (state: MockState, native: unknown) => mockConverter.step(state, { native: native as MockNative });

  test("any JSON at all becomes signals and never an exception", () => {
    fc.assert(
      fc.property(json, (native) => {
        expect(step(mockConverter.initial(), native).bodies).toMatchObject([{ type: "agent.unparsed" }]);
      }),
    );
  });

  test("leaves the state it was given as it was", () => {
    const before = mockConverter.initial();
    const snapshot = snapshotOf(before);
    const block = { block: "b1", what: "message", state: "in_progress", pieces: [] };
    const opened = step(before, { ev: "block_open", ...block });
    expect(snapshotOf(before)).toEqual(snapshot);
    const openedSnapshot = snapshotOf(opened.state);
    step(opened.state, { ev: "block_shut", ...block, state: "completed" });
    expect(snapshotOf(opened.state)).toEqual(openedSnapshot);
  });

  test("numbers items on from the life before", () => {
    const resume = { nextItem: 12, totals: { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 } };
    const { bodies } = step(mockConverter.initial(resume), {
      ev: "block_open",
      block: "b1",
      what: "message",
      state: "in_progress",
      pieces: [],
    });
    expect(bodies).toMatchObject([{ type: "item.started", data: { item: { itemId: "item_12" } } }]);
  });

  test("says what it did not understand", () => {
    const errors = [
      42,
      { ev: "riddle" },
      { ev: "joined" },
      { ev: "block_more", block: "b9", at: 0, to: "words", more: "" },
    ]
      .flatMap((native) => step(mockConverter.initial(), native).bodies)
      .map((body) => (body.type === "agent.unparsed" ? body.data.error : body.type));
    expect(errors).toEqual([
      "The line is not an object",
      'Unknown line: "riddle"',
      "prompt: Invalid input: expected string, received undefined",
      "More of a block that is not open",
    ]);
  });

  test("makes an item of its own of a block that was shut without being open", () => {
    const block = { block: "b1", what: "message", state: "completed", pieces: [{ as: "words", words: "late" }] };
    const { bodies } = step(mockConverter.initial(), { ev: "block_shut", ...block });
    expect(bodies.map(({ type }) => type)).toEqual(["item.started", "item.completed"]);
  });
});
