import type { Message } from "@muster/codebuff-protocol";
import { expect, test } from "vitest";
import { cacheMarks } from "./cache-marks.ts";

const system: Message = { role: "system", content: "s" };
const prompt: Message = { role: "user", content: [{ type: "text", text: "p" }], tags: ["USER_PROMPT"] };
const answer: Message = { role: "assistant", content: [{ type: "text", text: "a" }] };
const reminder: Message = { role: "user", content: [{ type: "text", text: "r" }], timeToLive: "agentStep" };

test.each([
  ["nothing", [], []],
  ["a system prompt alone", [system], [0]],
  ["the first step", [system, prompt, reminder], [0, 1, 2]],
  ["a later turn", [system, prompt, answer, prompt, answer, answer, reminder], [0, 2, 4, 5, 6]],
  ["a history without system prompt", [prompt, answer, prompt], [1, 2]],
])("marks of %s", (_title, messages, marks) => {
  expect(cacheMarks(messages)).toEqual(marks);
});

test("there are at most four besides the system prompt", () => {
  const long = [system, ...Array.from({ length: 50 }, () => [prompt, answer]).flat(), reminder];
  expect(cacheMarks(long).length).toBeLessThanOrEqual(5);
});
