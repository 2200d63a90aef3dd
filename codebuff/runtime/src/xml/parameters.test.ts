import { describe, expect, test } from "vitest";
import { readXmlInput } from "./parameters.ts";

describe("parameters become what the tool's schema says", () => {
  test.each([
    ["text as it stands", "read_docs", "<libraryTitle>a b</libraryTitle><topic> c </topic>", { topic: " c " }],
    ["one newline at each end is dropped", "write_file", file("\n\n  x\n\n"), { content: "\n  x\n" }],
    ["entities", "write_file", file("a &lt; b &amp;&amp; c &nbsp;"), { content: "a < b && c &nbsp;" }],
    ["CDATA", "write_file", file("<![CDATA[\n&lt;</content>]]>"), { content: "\n&lt;</content>" }],
    ["CDATA in two pieces", "write_file", file("<![CDATA[a]]]]><![CDATA[>b]]>"), { content: "a]]>b" }],
    ["a tag of the same name", "write_file", file("<content>x</content> y"), { content: "<content>x</content> y" }],
    ["another tool's call", "write_file", file("<end_turn></end_turn>"), { content: "<end_turn></end_turn>" }],
    ["an integer", "code_search", "<pattern>x</pattern><maxResults> 7 </maxResults>", { maxResults: 7 }],
    ["a decimal number", "sleep", "<seconds>1.5</seconds>", { seconds: 1.5 }],
    [
      "a negative number",
      "run_terminal_command",
      command("<timeout_seconds>-1</timeout_seconds>"),
      { timeout_seconds: -1 },
    ],
    ["a choice", "run_terminal_command", "<command_signal>\nCTRL_C\n</command_signal>", { command_signal: "CTRL_C" }],
    ["a default", "run_terminal_command", command(""), { command: "ls", process_type: "SYNC" }],
    ["a list by repetition", "read_files", "<paths>a</paths>\n<paths>b c</paths>", { paths: ["a", "b c"] }],
    ["a list by lines", "read_files", "<paths>\na\n  b\n\nc\n</paths>", { paths: ["a", "b", "c"] }],
    ["a list in JSON", "read_files", '<paths>["a", "b"]</paths>', { paths: ["a", "b"] }],
    ["objects by repetition", "str_replace", `<path>a</path>${replace("x")}${replace("y")}`, two("x", "y")],
    [
      "objects by lines",
      "str_replace",
      `<path>a</path><replacements>\n${one("x")}\n${one("y")}\n</replacements>`,
      two("x", "y"),
    ],
    [
      "objects in a JSON list",
      "str_replace",
      `<path>a</path><replacements>[${one("x")},${one("y")}]</replacements>`,
      two("x", "y"),
    ],
    [
      "an object",
      "apply_patch",
      `<operation>\n{"type": "delete_file",\n "path": "a"}\n</operation>`,
      { operation: { type: "delete_file", path: "a" } },
    ],
    [
      "a flag",
      "write_todos",
      `<todos>{"task": "x", "completed": true}</todos>`,
      { todos: [{ task: "x", completed: true }] },
    ],
    ["nothing", "end_turn", "\n", {}],
    [
      "the JSON form",
      "codebuff_tool_call",
      `{"cb_tool_name": "read_files", "paths": ["a"], "cb_easp": true}`,
      { paths: ["a"] },
    ],
  ])("%s", (_title, name, inner, input) => {
    expect(readXmlInput({ name, inner })).toMatchObject({ ok: true, input });
  });
});

describe("what fits no reading names the parameter", () => {
  test.each([
    ["no number", "sleep", "<seconds>soon</seconds>", /seconds: expected a number, got "soon"/],
    ["no such choice", "run_terminal_command", "<command_signal>STOP</command_signal>", /command_signal/],
    ["no object", "apply_patch", "<operation>delete a</operation>", /operation: expected JSON/],
    [
      "a bad entry of a list",
      "str_replace",
      "<path>a</path><replacements>x → y</replacements>",
      /replacements: entry 1/,
    ],
    ["given twice", "sleep", "<seconds>1</seconds><seconds>2</seconds>", /seconds: given more than once/],
    ["unknown", "read_files", "<paths>a</paths><depth>2</depth>", /depth: there is no such parameter/],
    ["missing", "read_files", "", /paths/],
    ["not closed", "read_files", "<paths>a", /paths: the closing tag <\/paths> is missing/],
    ["text outside", "read_files", "a.ts", /text outside of a parameter: a.ts/],
    ["two of one", "run_terminal_command", "<command>a</command><input>b</input>", /only one of command, input/],
    ["broken JSON form", "codebuff_tool_call", "{", /JSON object/],
    ["a nameless JSON form", "codebuff_tool_call", "{}", /cb_tool_name/],
    ["no tool", "codebuff_tool_call", `{"cb_tool_name": "fly"}`, /no tool fly/],
  ])("%s", (_title, name, inner, message) => {
    const read = readXmlInput({ name, inner });
    expect(read).toMatchObject({ ok: false, errorMessage: expect.stringMatching(message) });
  });
});

function file(content: string): string {
  return `\n<path>a</path>\n<instructions>x</instructions>\n<content>${content}</content>\n`;
}

function command(more: string): string {
  return `<command>ls</command>${more}`;
}

function one(text: string): string {
  return `{"old": "${text}", "new": "-"}`;
}

function replace(text: string): string {
  return `<replacements>${one(text)}</replacements>`;
}

function two(...texts: string[]): object {
  return { path: "a", replacements: texts.map((old) => ({ old, new: "-", allowMultiple: false })) };
}
