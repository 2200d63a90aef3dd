import { applyPatch, parsePatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffOfHunks, diffOfPieces, diffOfTexts, unifiedDiff, unifiedDiffs } from "./unified-diff.ts";

const file = { path: "src/a.txt" };
const hunk = "@@ -1,2 +1,2 @@\n-alpha\n+gamma\n beta\n";
const whole = `--- a/src/a.txt\n+++ b/src/a.txt\n${hunk}`;

describe("an agent's own diff in the one form", () => {
  test.each([
    ["hunks alone", hunk],
    ["without the last line break", hunk.trimEnd()],
    ["already in it", whole],
    ["an index and whole paths", `Index: /w/src/a.txt\n${"=".repeat(67)}\n--- /w/src/a.txt\n+++ /w/src/a.txt\n${hunk}`],
    ["words behind the names", `--- /w/src/a.txt\toriginal\n+++ /w/src/a.txt\tmodified\n${hunk}`],
    ["git's", `diff --git a/src/a.txt b/src/a.txt\nindex 0..1 100644\n${whole}`],
    ["counts left out or wrong", `@@ -1,9 +1,9 @@ section\n-alpha\n+gamma\n beta\n`],
  ])("%s", (_, native) => {
    expect(unifiedDiff(file, native)).toBe(whole);
  });

  test("nothing where there is no change in it", () => {
    expect(["", "hello\n", "@@ -1,1 +1,1 @@\n"].map((native) => unifiedDiff(file, native))).toEqual(
      Array(3).fill(undefined),
    );
  });

  test("a removed line of dashes is no header, an empty line that lost its blank is a line", () => {
    const native = "@@ -1,3 +1,2 @@\n--- one\n\n-two\n+two!\n";
    expect(unifiedDiff(file, native)).toBe(
      "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,3 +1,2 @@\n--- one\n \n-two\n+two!\n",
    );
  });

  test("a file that is new, gone, moved, outside, or has an odd name", () => {
    const heads = [{ is: "new" }, { is: "gone" }, { from: "b.txt" }, { path: "/etc/x" }, { path: 'a "b"\n' }] as const;
    expect(
      heads.map((head) =>
        unifiedDiff({ ...file, ...head }, hunk)
          ?.split("\n")
          .slice(0, 2),
      ),
    ).toEqual([
      ["--- /dev/null", "+++ b/src/a.txt"],
      ["--- a/src/a.txt", "+++ /dev/null"],
      ["--- a/b.txt", "+++ b/src/a.txt"],
      ["--- a//etc/x", "+++ b//etc/x"],
      ['--- "a/a \\"b\\"\\n"', '+++ "b/a \\"b\\"\\n"'],
    ]);
  });

  test("several files, named by themselves", () => {
    const native = `--- /w/one\n+++ /w/one\n${hunk}--- /dev/null\n+++ b/two\n@@ -0,0 +1 @@\n+new\n`;
    const two = "--- /dev/null\n+++ b/two\n@@ -0,0 +1,1 @@\n+new\n";
    expect(unifiedDiffs(native, "/w")).toBe(`--- a/one\n+++ b/one\n${hunk}${two}`);
  });

  test("hunks as values", () => {
    const lines = ["-alpha", "+gamma", " beta"];
    expect(diffOfHunks(file, [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines }])).toBe(whole);
    const first = [{ oldStart: 0, newStart: 1, lines: ["+alpha"] }];
    expect(diffOfHunks(file, first)).toBe("--- a/src/a.txt\n+++ b/src/a.txt\n@@ -0,0 +1,1 @@\n+alpha\n");
    expect([[], "text", [{ lines }]].map((hunks) => diffOfHunks(file, hunks))).toEqual(Array(3).fill(undefined));
  });
});

describe("a diff where the agent gives none", () => {
  test("leads from one text to the other, is read by others, and stays as it is when it is read again", () => {
    const text = fc
      .array(fc.constantFrom("", "a", "b", "--- c", "@@ -1 +1 @@", "\\ d"), { maxLength: 30 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = diffOfTexts(file, before, after);
        if (diff === undefined) {
          expect(before).toBe(after);
          return;
        }
        expect(applyPatch(before, diff)).toBe(after);
        expect(parsePatch(diff)).toHaveLength(1);
        expect(unifiedDiff(file, diff)).toBe(diff);
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  test("texts too different to compare line by line are taken out and put in", () => {
    const lines = (word: string) => Array.from({ length: 3_000 }, (_, at) => `${word} ${at}\n`).join("");
    const diff = diffOfTexts(file, lines("old"), lines("new")) ?? "";
    expect(applyPatch(lines("old"), diff)).toBe(lines("new"));
  });

  test("of a piece of a file it says nothing about the file's end", () => {
    expect(diffOfPieces(file, "alpha", "gamma")).toBe(
      "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,1 +1,1 @@\n-alpha\n+gamma\n",
    );
  });
});
