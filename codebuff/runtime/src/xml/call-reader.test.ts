import { toolNames } from "@muster/codebuff-protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closingTag, readXmlCalls, XmlCallReader, type XmlPiece } from "./call-reader.ts";

const names = ["run_terminal_command", "read_files", "write_file", "code_search", "add_subgoal", "end_turn"];
const response = [
  "I look first. 1 < 2 and <b>bold</b> are text.\n",
  "<run_terminal_command>\n<command>npm test && echo '<done>' 💡</command>\n</run_terminal_command>\n",
  "<write_file>\n<path>a.html</path>\n<content>\n<![CDATA[<p></write_file></p>]]>\n</content>\n</write_file>",
  "<end_turn/>\n\nDone.",
].join("");
const expected: XmlPiece[] = [
  { type: "text", text: "I look first. 1 < 2 and <b>bold</b> are text.\n" },
  { type: "call", name: "run_terminal_command", inner: "\n<command>npm test && echo '<done>' 💡</command>\n" },
  { type: "text", text: "\n" },
  {
    type: "call",
    name: "write_file",
    inner: "\n<path>a.html</path>\n<content>\n<![CDATA[<p></write_file></p>]]>\n</content>\n",
  },
  { type: "call", name: "end_turn", inner: "" },
  { type: "text", text: "\n\nDone." },
];

test("calls and text come out in order", () => {
  expect(read([response])).toEqual(expected);
});

test("split at each character, and into single characters, the same pieces come out", () => {
  for (let at = 1; at < response.length; at += 1) {
    expect(read([response.slice(0, at), response.slice(at)])).toEqual(expected);
  }
  expect(read([...response])).toEqual(expected);
});

test("however a text is cut into chunks, its pieces are the same and no character is lost", () => {
  const word = fc.constantFrom(
    ...["<", ">", "</", "\n", " ", "x", "&lt;", "<![CDATA[", "]]>", "```", "`"],
    ...["<read_files>", "</read_files>", "<read_", "files>", "<end_turn/>", "<paths>", "</paths>", "<end_turn>"],
  );
  const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(""));
  fc.assert(
    fc.property(text, fc.array(fc.nat(200)), (whole, places) => {
      const cuts = [...new Set(places.filter((place) => place < whole.length))].sort((one, other) => one - other);
      const chunks = [0, ...cuts].map((from, index) => whole.slice(from, cuts[index]));
      const pieces = read([whole]);
      expect(read(chunks)).toEqual(pieces);
      expect(pieces.filter(({ type }) => type === "misplaced")).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

describe.each(toolNames)("%s", (name) => {
  test("a stop sequence that was cut off closes the open call", () => {
    const whole = `Now.\n<${name}>\n<a>1</a>\n`;
    const complete = read([`${whole}${closingTag(name)}`], { names: toolNames });
    expect(read([whole], { names: toolNames, stopped: true })).toEqual(complete);
    expect(read([...whole], { names: toolNames, stopped: true })).toEqual(complete);
  });
});

test("without a stop sequence a call that is not closed is told apart from a call", () => {
  expect(read(["<read_files>\n<paths>a"])).toEqual([{ type: "unclosed", name: "read_files", inner: "\n<paths>a" }]);
});

test.each([
  ["in the middle of a line", "I could use <end_turn></end_turn> now"],
  ["in quotes", 'say "<read_files>\n<paths>a</paths>\n</read_files>"'],
  ["in code marks", "`<end_turn></end_turn>`"],
  ["with another name", "<end_turns></end_turns>"],
  ["with attributes", '<end_turn why="x"></end_turn>'],
])("an element %s is text", (_title, text) => {
  expect(read([text])).toEqual([{ type: "text", text }]);
});

test.each([
  ["at the beginning of a line in a code fence", "```xml\n<end_turn></end_turn>\n```", "```xml\n\n```"],
  ["after blanks", "so\n  <end_turn></end_turn>", "so\n  "],
  ["right after another call", "<read_files></read_files><end_turn></end_turn>", ""],
])("an element %s is a call", (_title, text, shown) => {
  const found = readXmlCalls(text, names);
  expect([found.calls.at(-1)?.name, found.shown]).toEqual(["end_turn", shown]);
});

test("a call inside a call is content of the outer one", () => {
  const inner = "\n<path>a.md</path>\n<content>\n<end_turn></end_turn>\n</content>\n";
  expect(readXmlCalls(`<write_file>${inner}</write_file>`, names).calls).toEqual([{ name: "write_file", inner }]);
});

test("generation that stopped at the closing tag of an element in the middle of a line is reported", () => {
  const text = "Run <run_terminal_command>\n<command>ls</command>\n";
  expect(read([text], { stopped: true })).toEqual([
    { type: "text", text },
    { type: "misplaced", name: "run_terminal_command" },
  ]);
});

function read(chunks: readonly string[], how: { names?: readonly string[]; stopped?: boolean } = {}): XmlPiece[] {
  const reader = new XmlCallReader(how.names ?? names);
  const pieces = [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end({ stopped: how.stopped ?? false })];
  const joined: XmlPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.type === "text" && last?.type === "text") {
      joined[joined.length - 1] = { type: "text", text: last.text + piece.text };
    } else joined.push(piece);
  }
  return joined;
}

test("after the last call nothing is read, wherever the chunks end", () => {
  const text = "a\n<add_subgoal></add_subgoal>\n<read_files>\n</read_files>";
  for (const chunks of [[`${text} and more\n<end_turn/>`], [...text, "x", "<end_turn/>"]]) {
    const reader = new XmlCallReader(names, ["read_files", "end_turn"]);
    const calls = chunks.flatMap((chunk) => reader.push(chunk)).filter(({ type }) => type === "call");
    expect(calls).toHaveLength(2);
    expect([reader.cutAt, reader.end({ stopped: false })]).toEqual([text.length, []]);
  }
});
