import { expect, test } from "vitest";
import type { Message } from "./history.ts";
import { estimateTokens, messageTokens } from "./tokens.ts";

test("the estimate grows with the text and shrinks with the characters a token takes", () => {
  expect(estimateTokens("x".repeat(300))).toBe(100);
  expect(estimateTokens("x".repeat(300), 4)).toBe(75);
});

test.each<[string, Message, number]>([
  ["a text", { role: "user", content: [{ type: "text", text: "x".repeat(30) }] }, 14],
  ["a system prompt", { role: "system", content: "x".repeat(30) }, 14],
  [
    "an image, whatever its bytes",
    { role: "user", content: [{ type: "image", image: "x".repeat(9_000), mediaType: "image/png" }] },
    1_504,
  ],
  [
    "a result",
    { role: "tool", toolCallId: "a", toolName: "b", content: [{ type: "json", value: "x".repeat(28) }] },
    14,
  ],
])("%s", (_title, message, tokens) => {
  expect(messageTokens(message)).toBe(tokens);
});
