import { expect, test } from "vitest";
import type { ToolOutput } from "../messages/tool-output.ts";
import { planAnswer, StepYield } from "./steps.ts";

const json = (value: unknown): ToolOutput => [{ type: "json", value: value as never }];

test.each([
  ["a decision", { decision: "approve_edits", plan: "1. edited" }, { decision: "approve_edits", plan: "1. edited" }],
  ["a chosen option", { answers: [{ questionIndex: 0, selectedOption: "approve" }] }, { decision: "approve" }],
  [
    "words of one's own",
    { answers: [{ questionIndex: 0, otherText: "smaller" }] },
    { decision: "reject", message: "smaller" },
  ],
  ["nothing chosen", { answers: [{ questionIndex: 0 }] }, undefined],
  ["skipped", { skipped: true }, undefined],
  ["an error", { errorMessage: "gone" }, undefined],
])("the answer to a plan: %s", (_title, value, expected) => {
  expect(planAnswer(json(value))).toEqual(expected);
});

test.each([
  ["STEP", true],
  ["STEP_ALL", true],
  [{ type: "STEP_TEXT", text: "x" }, true],
  [{ type: "GENERATE_N", n: 2 }, true],
  [{ type: "GENERATE_N", n: 0 }, false],
  [{ toolName: "glob", input: { pattern: "*" }, includeToolCall: false }, true],
  [{ toolName: "glob" }, false],
  ["STOP", false],
])("%j may be yielded: %s", (value, isGood) => {
  expect(StepYield.safeParse(value).success).toBe(isGood);
});
