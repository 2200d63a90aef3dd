import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { json } from "../../test/conversion/arbitrary-commands.ts";
import { snapshotOf } from "../../test/snapshot-of.ts";
import { codebuffConverter } from "./converter.ts";
import type { CodebuffNative } from "./wire/native.ts";

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
    const snapshot = snapshotOf(before);
    const begun = codebuffConverter.step(before, { native: { type: "text", text: "a" } });
    expect(snapshotOf(before)).toEqual(snapshot);
    const begunSnapshot = snapshotOf(begun.state);
    codebuffConverter.step(begun.state, { native: { type: "finish", totalCost: 0 } });
    expect(snapshotOf(begun.state)).toEqual(begunSnapshot);
  });
});
