import { expect, it } from "vitest";
import { limitMessage, plainMessage } from "./plain-message.ts";

it.each([
  ['API Error: 401 {"type":"error","error":{"type":"x","message":"invalid key"}}', "API Error: 401 invalid key"],
  ['{"detail":"no such model"}', "no such model"],
  ["unexpected {thing} here", "unexpected {thing} here"],
  ['{"code":5}', "The provider failed"],
  ["", "The provider failed"],
  [undefined, "The provider failed"],
])("a failure is told in words: %s", (message, plain) => {
  expect(plainMessage(message, "provider_error")).toBe(plain);
});

it.each([
  ["agent_timeout", { turnIdleMs: 300_000 }, "The agent gave no sign of life for 300 s (turnIdleMs)"],
  ["tool_timeout", { toolIdleMs: 1_500 }, "A tool call gave no sign of life for 1.5 s (toolIdleMs)"],
  ["turn_timeout", { turnMs: 60_000 }, "The turn took longer than 60 s (turnMs)"],
] as const)("a limit that ended a turn is told with its number: %s", (cause, limits, message) => {
  expect(limitMessage(cause, limits)).toBe(message);
});
