import { expect, test } from "vitest";
import { Conversion } from "../../../converter/conversion.ts";
import { claudeConverter } from "../../converter.ts";

/** How a call of Bash and its result are told. */
function outcomeOf(content: unknown, isError = true) {
  const conversion = new Conversion(claudeConverter);
  const say = (line: object) => conversion.line(JSON.stringify(line), []);
  const call = { type: "tool_use", id: "t", name: "Bash", input: { command: "cat log" } };
  say({ type: "assistant", message: { id: "m", content: [call] } });
  const result = { type: "tool_result", tool_use_id: "t", content, is_error: isError };
  return say({ type: "user", message: { content: [result] } })
    .filter(({ type }) => type === "item.completed")
    .map((signal) => (signal as { data: { item: { status: string; content: object[] } } }).data.item)
    .map(({ status, content: [part] }) => ({ status, ...part }));
}

test.each([
  ["<tool_use_error>Error: No such tool available: Nope</tool_use_error>", "No such tool available: Nope"],
  [
    "<tool_use_error>InputValidationError: Read failed:\nno `file_path`</tool_use_error>",
    "Read failed:\nno `file_path`",
  ],
  [
    [{ type: "text", text: "<tool_use_error>File has not been read yet.</tool_use_error>" }],
    "File has not been read yet.",
  ],
  ["Exit code 1\n<tool_use_error>printed</tool_use_error>", "Exit code 1\n<tool_use_error>printed</tool_use_error>"],
])("of a call that was not made, the words are told without the tags: %j", (content, output) => {
  expect(outcomeOf(content)[1]).toMatchObject({ status: "failed", output, isError: true });
});

test("what a tool printed stays as it is, tags and all", () => {
  const output = "<tool_use_error>Error: x</tool_use_error>";
  expect(outcomeOf(output, false)[1]).toMatchObject({ status: "completed", output });
});

test.each([
  ["[Request interrupted by user for tool use]", "cancelled"],
  ["half of it\n[Request interrupted by user]\n", "cancelled"],
  ["Exit code 1\n[Request interrupted by user] is in line 3\nof the log", "failed"],
])("only the last words of a tool tell that it was stopped: %j", (content, status) => {
  expect(outcomeOf(content).map((one) => one.status)).toEqual([status, status]);
});
