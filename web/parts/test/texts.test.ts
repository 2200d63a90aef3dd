import { describe, expect, it } from "vitest";
import { decodeNamedCharacterReference } from "../src/markdown/named-references.ts";
import { markdownPieces, parseMarkdown } from "../src/markdown/parse.ts";
import { diffLines } from "../src/model/diff-lines.ts";
import { pieces, safeLink, safePicture, terminalText } from "../src/model/safe-text.ts";

describe("texts of others", () => {
  it("shows characters that cannot be seen by their numbers", () => {
    expect(pieces("a\u202eb\u200bc").map(({ text }) => text)).toEqual(["a", "U+202E", "b", "U+200B", "c"]);
    expect(pieces("👨‍👩‍👧 می‌خواهم")).toHaveLength(1);
    expect(pieces("r\u200dm", { code: true }).map(({ text }) => text)).toEqual(["r", "U+200D", "m"]);
  });

  it("keeps the colours of a terminal and nothing else it asks for", () => {
    const said = "\u001b[31mred\u001b[0m \u001b[2J\u001b]0;title\u0007plain\u0000 10%\r20%\n\u001b[1;32mok\u001b[m";
    expect(terminalText(said)).toEqual([
      { text: "red", style: "red" },
      { text: " ", style: "" },
      { text: "20%\n", style: "" },
      { text: "ok", style: "bold green" },
    ]);
  });

  it("follows no address that runs, and draws no picture that could", () => {
    const addresses = [
      "javascript:alert(1)",
      "JaVaScript:x",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
      "x",
    ];
    expect(addresses.filter((url) => safeLink(url) !== undefined)).toEqual([]);
    expect(safeLink("https://example.com/a")).toBe("https://example.com/a");
    expect(safePicture("image/svg+xml", "PHN2Zz4=")).toBeUndefined();
    expect(safePicture("image/png", "AAAA")).toBe("data:image/png;base64,AAAA");
    expect(safePicture("image/png", 'AA"><script>')).toBeUndefined();
  });

  it("reads a long text in pieces that stay the same while it grows", () => {
    const part = `${"word ".repeat(300)}\n\n`;
    const code = "```\n\n\nnot a place to cut\n\n```\n\n";
    const text = part.repeat(4) + code.repeat(200) + part.repeat(3);
    const whole = markdownPieces(text);
    expect(whole.join("")).toBe(text);
    expect(markdownPieces(text.slice(0, -900)).slice(0, -1)).toEqual(whole.slice(0, -1));
    expect(whole.every((piece) => (piece.match(/```/g) ?? []).length % 2 === 0)).toBe(true);
  });
});

describe("texts that would hold up the page", () => {
  const depthOf = (node: object): number => {
    let depth = 0;
    for (let level = [node]; level.length > 0; depth++) {
      level = level.flatMap((one) => ("children" in one ? (one.children as object[]) : []));
    }
    return depth;
  };

  it.each([
    ["quotes in quotes", `${">".repeat(3_000)}x`],
    ["lists in lists", `${"- ".repeat(1_000)}x`],
    ["numbers in numbers", `${"1. ".repeat(1_000)}x`],
    ["nothing but marks", "_a ".repeat(3_000) + "b_ ".repeat(3_000)],
  ])("%s stay text", (_, text) => {
    expect(parseMarkdown(text)).toEqual([{ type: "root", children: [{ type: "code", value: text }] }]);
  });

  it("a list that goes deeper line by line is drawn as deep as a browser can, and nothing of it is lost", () => {
    const lines = Array.from({ length: 150 }, (_, depth) => `${"  ".repeat(depth)}- line ${depth}`);
    const [root = {}] = parseMarkdown(lines.join("\n"));
    expect(depthOf(root)).toBeLessThan(110);
    expect(JSON.stringify(root)).toContain("line 149");
  });

  it("what people write is read: lists, tables and code full of marks", () => {
    const list = Array.from({ length: 600 }, (_, at) => `- \`item_${at}\` is *here*`).join("\n");
    const code = `\`\`\`json\n${'["a_b_c", [1, 2]],\n'.repeat(900)}\`\`\``;
    expect(parseMarkdown(list)[0]?.children[0]?.type).toBe("list");
    expect(parseMarkdown(code)[0]?.children[0]).toMatchObject({ type: "code", lang: "json" });
    expect(parseMarkdown("> a\n> > b")[0]?.children[0]?.type).toBe("blockquote");
  });

  it("a name that is no character stays as it was written, whatever objects know by it", () => {
    for (const name of ["constructor", "toString", "valueOf", "nosuch"]) {
      expect(decodeNamedCharacterReference(name)).toBe(false);
    }
    expect(decodeNamedCharacterReference("amp")).toBe("&");
  });
});

it("a line of three signs inside a hunk is a line of the diff, not a name", () => {
  const lines = diffLines("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n --- is not a name here\n---- nor here\n++++ nor here\n");
  expect(lines.map(({ kind }) => kind)).toEqual(["file", "file", "place", "same", "removed", "added"]);
});
