import { paintFor, plain } from "@muster/core";
import { expect, it } from "vitest";
import { growingLines, growingMarkdown } from "./growing-text.ts";

const drawn = (text: string, width = 60) => {
  const growing = growingMarkdown({ paint: plain, width });
  return [...growing.add(text), ...growing.end()].join("\n");
};

it("Markdown becomes headings, lists, code and tables as a terminal shows them", () => {
  const text = [
    "# A *title*",
    "Some **bold** words and `code`, a [link](https://a.example) and &lt;more&gt;.",
    "",
    "1. first",
    "2. second",
    "   - inner",
    "",
    "```js",
    "const a = 1;",
    "```",
    "",
    "| name | value |",
    "|---|---|",
    "| one | **1** |",
    "| three | 3 |",
    "",
    "> quoted",
  ].join("\n");
  expect(drawn(text)).toBe(
    [
      "A title",
      "",
      "Some bold words and code, a link (https://a.example) and",
      "<more>.",
      "",
      "1. first",
      "2. second",
      "   • inner",
      "",
      "    const a = 1;",
      "",
      "name   value",
      "─────  ─────",
      "one    1",
      "three  3",
      "",
      "│ quoted",
    ].join("\n"),
  );
});

it("styles are set where there is colour", () => {
  const growing = growingMarkdown({ paint: paintFor({ isTTY: true }, {}), width: 60 });
  growing.add("**two words** and `code`");
  expect(growing.end()).toEqual(["\u001b[1mtwo words\u001b[22m and \u001b[36mcode\u001b[39m"]);
});

it("however a text is cut into pieces, the same lines come of it, each once", () => {
  const text =
    "# Title\n\nOne paragraph\nof two lines.\n\n- a\n- b\n\n  more of b\n\n```\ncode\n\nmore code\n```\n\nThe end.";
  const whole = drawn(text);
  for (const size of [1, 2, 3, 7, 20]) {
    const growing = growingMarkdown({ paint: plain, width: 60 });
    const lines: string[] = [];
    for (let at = 0; at < text.length; at += size) lines.push(...growing.add(text.slice(at, at + size)));
    const open = growing.open();
    const end = growing.end();
    expect(open).toEqual(end);
    expect([...lines, ...end].join("\n")).toBe(whole);
  }
});

it("plain lines are given whole, and what is not whole yet is open", () => {
  const growing = growingLines(20);
  expect(growing.add("**one**\ntw")).toEqual(["**one**"]);
  expect(growing.open()).toEqual(["tw"]);
  expect(growing.add("o and more words than fit")).toEqual([]);
  expect(growing.open()).toEqual(["two and more words", "than fit"]);
  expect(growing.end()).toEqual(["two and more words than fit"]);
});
