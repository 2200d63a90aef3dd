import { expect, it } from "vitest";
import { parseControlLine } from "./control-lines.ts";

it.each([
  ['{"type":"cancel"}', { type: "cancel" }],
  ['{"type":"user_message","text":"hi","new":1}', { type: "user_message", text: "hi", new: 1 }],
  ["{", { type: "bad_line", message: "Standard input: a line is not JSON" }],
  ["[]", { type: "bad_line", message: "Standard input: a line has no type" }],
  ['{"type":"dance"}', { type: "bad_line", message: 'Standard input: the type "dance" is not known' }],
])("%s", (line, expected) => {
  expect(parseControlLine(line)).toEqual(expected);
});

it("names the field that does not fit", () => {
  expect(parseControlLine('{"type":"user_message"}')).toMatchObject({
    type: "bad_line",
    message: expect.stringMatching(/^Standard input: user_message: text: /),
  });
});
