import { expect, test } from "vitest";
import { Conversion } from "../../converter/conversion.ts";
import { claudeConverter } from "../converter.ts";

const assistant = (block: object) => ({ type: "assistant", message: { id: "m", content: [block] } });
const user = (block: object) => ({ type: "user", message: { content: [block] } });
const begun = (block: object) => ({
  type: "stream_event",
  api_message_id: "m",
  event: { type: "content_block_start", index: 0, content_block: block },
});
const more = (delta: object) => ({
  type: "stream_event",
  api_message_id: "m",
  event: { type: "content_block_delta", index: 0, delta },
});
const result = (content: unknown) => user({ type: "tool_result", tool_use_id: "t", content });

/** Blocks of a type we know that do not have its fields. */
const odd: Record<string, object> = {
  "a call without an input": assistant({ type: "tool_use", id: "t", name: "Bash" }),
  "a call without a name": assistant({ type: "tool_use", id: "t", input: {} }),
  "a call whose id is a number": assistant({ type: "tool_use", id: 7, name: "Bash", input: {} }),
  "a streamed call without an input": begun({ type: "tool_use", id: "t", name: "Bash" }),
  "a text that is a number": assistant({ type: "text", text: 7 }),
  "a text without a text": begun({ type: "text" }),
  "thinking that is a list": assistant({ type: "thinking", thinking: [] }),
  "more of a text that is an object": more({ type: "text_delta", text: {} }),
  "a result of a call that is a number": user({ type: "tool_result", tool_use_id: 7, content: "x" }),
  "a result of no call": user({ type: "tool_result", content: "x" }),
  "a result that is a number": result(7),
  "a result that is an object": result({ type: "text", text: "x" }),
  "a result with a number in it": result([7]),
  "a result with a text that is a number": result([{ type: "text", text: 7 }]),
  "a result with a picture from nowhere": result([{ type: "image" }]),
  "a result whose failure is a word": user({ type: "tool_result", tool_use_id: "t", content: "x", is_error: "no" }),
};

test.each(Object.entries(odd))("%s is kept as it came, and nothing of it is told", (_, line) => {
  const conversion = new Conversion(claudeConverter);
  const signals = conversion.line(JSON.stringify(line), []);
  expect(signals).toEqual([
    { type: "agent.unparsed", data: expect.objectContaining({ raw: line, location: "claude" }) },
  ]);
});

test("a block of a type that nobody knows is told as it is", () => {
  const block = { type: "server_tool_use", id: 7 };
  const signals = new Conversion(claudeConverter).line(JSON.stringify(assistant(block)), []);
  expect(signals.at(-1)).toMatchObject({ data: { item: { content: [{ type: "json", json: block }] } } });
});
