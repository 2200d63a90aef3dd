import { expect, test } from "vitest";
import type { ToolOutput } from "../messages/tool-output.ts";
import { AgentDefinition } from "./agent-definition.ts";
import { planAnswer, StepYield, stepsText } from "./steps.ts";

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

const plain = {
  handleSteps: function* () {
    yield "STEP" as const;
  },
};
const method = {
  *handleSteps({ prompt }: { prompt?: string }) {
    yield { type: "STEP_TEXT" as const, text: prompt ?? "" };
  },
};
const named = {
  *["handleSteps"]() {
    yield "STEP" as const;
  },
};

test.each([
  ["a function", plain],
  ["a method", method],
  ["a method with a computed name", named],
])("the text of %s is a generator that the store accepts and that can be run", (_, { handleSteps }) => {
  const text = stepsText(handleSteps as never);
  const agent = { id: "a", displayName: "A", model: "x/y", handleSteps: text };
  expect(AgentDefinition.safeParse(agent).error).toBeUndefined();
  const steps = new Function(`return (${text})`)() as (input: object) => Generator;
  expect(steps({ prompt: "hi" }).next().done).toBe(false);
});
