import { expect, it } from "vitest";
import { plainMessage } from "./plain-message.ts";

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
