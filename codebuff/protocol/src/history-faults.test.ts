import { expect, test } from "vitest";
import type { Message } from "./history.ts";
import { historyFaults } from "./history-faults.ts";

const call = (toolCallId: string): Message => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId, toolName: "glob", input: { pattern: "*" } }],
});
const result = (toolCallId: string): Message => ({ role: "tool", toolName: "glob", toolCallId, content: [] });
const tagged: Message = { role: "user", content: [], keepLastTags: ["INSTRUCTIONS_PROMPT"] };

test.each<[string, Message[], unknown[]]>([
  ["pairs in any order after the calls", [call("a"), call("b"), result("b"), result("a")], []],
  ["a call nobody answered", [call("a")], [{ code: "call_without_result", index: 0, subject: "a" }]],
  ["a result nobody asked for", [result("a")], [{ code: "result_without_call", index: 0, subject: "a" }]],
  [
    "a result before its call",
    [result("a"), call("a")],
    [
      { code: "result_without_call", index: 0, subject: "a" },
      { code: "call_without_result", index: 1, subject: "a" },
    ],
  ],
  ["two results", [call("a"), result("a"), result("a")], [{ code: "second_result", index: 2, subject: "a" }]],
  ["one id twice", [call("a"), result("a"), call("a")], [{ code: "repeated_call_id", index: 2, subject: "a" }]],
  ["a kept tag twice", [tagged, tagged], [{ code: "repeated_tag", index: 1, subject: "INSTRUCTIONS_PROMPT" }]],
])("%s", (_title, messages, faults) => {
  expect(historyFaults(messages)).toEqual(faults);
});
