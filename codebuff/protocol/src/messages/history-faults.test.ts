import { expect, test } from "vitest";
import type { Message } from "./history.ts";
import { historyFaults } from "./history-faults.ts";

const call = (toolCallId: string): Message => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId, toolName: "glob", input: { pattern: "*" } }],
});
const result = (toolCallId: string): Message => ({ role: "tool", toolName: "glob", toolCallId, content: [] });
const say = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const tagged: Message = { ...say("do it"), keepLastTags: ["INSTRUCTIONS_PROMPT"] };

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
  [
    "a word between a call and its result",
    [call("a"), say("wait"), result("a")],
    [{ code: "results_apart", index: 1, subject: "a" }],
  ],
  [
    "a call between two results",
    [call("a"), call("b"), result("a"), call("c"), result("b"), result("c")],
    [{ code: "results_apart", index: 3, subject: "b" }],
  ],
  ["a message of white space", [say(" \n")], [{ code: "blank_message", index: 0, subject: "user" }]],
  [
    "a message of nothing",
    [{ role: "assistant", content: [] }],
    [{ code: "blank_message", index: 0, subject: "assistant" }],
  ],
  ["a kept tag twice", [tagged, tagged], [{ code: "repeated_tag", index: 1, subject: "INSTRUCTIONS_PROMPT" }]],
])("%s", (_title, messages, faults) => {
  expect(historyFaults(messages)).toEqual(faults);
});
