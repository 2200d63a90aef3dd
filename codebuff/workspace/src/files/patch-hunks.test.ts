import { expect, test } from "vitest";
import { parseHunks, parseNewContent, parsePatch } from "./patch-format.ts";
import { applyHunks } from "./patch-hunks.ts";

const apply = (text: string, diff: string) => applyHunks(text, parseHunks(diff));
const file = "def a():\n    one()\n    return 1\n\ndef b():\n    one()\n    return 1\n";

test("a hunk with context is applied", () => {
  expect(apply("a\nb\nc\n", "@@\n a\n-b\n+B\n c\n")).toBe("a\nB\nc\n");
});

test("an anchor says in which block the hunk lies", () => {
  expect(apply(file, "@@ def b():\n     one()\n-    return 1\n+    return 2\n")).toBe(
    file.replace(/return 1\n$/, "return 2\n"),
  );
  expect(apply(file, "@@ def a():\n     one()\n-    return 1\n+    return 2\n")).toBe(
    file.replace("return 1", "return 2"),
  );
});

test("a hunk that fits in two places is refused with the lines", () => {
  expect(() => apply(file, "@@\n     one()\n-    return 1\n+    return 2\n")).toThrow("2 places (lines 2, 6)");
});

test("an anchored hunk never lands in another block", () => {
  const text = "def a():\n    x()\n\ndef b():\n    y()\n";
  expect(() => apply(text, "@@ def a():\n-    y()\n+    z()\n")).toThrow("not found");
});

test("a unified diff decides by its line number when the text is exact there", () => {
  expect(apply("x\nx\nx\n", "@@ -2,1 +2,1 @@\n-x\n+y\n")).toBe("x\ny\nx\n");
  expect(() => apply("x\nx\nx\n", "@@ -9,1 +9,1 @@\n-x\n+y\n")).toThrow("3 places");
});

test("a unified diff whose lines moved is applied where its text stands once", () => {
  expect(apply("new\n\na\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n")).toBe("new\n\na\nB\nc\n");
});

test("the end of the file is a place", () => {
  expect(apply("a\nb\na\n", "@@\n a\n+c\n*** End of File\n")).toBe("a\nb\na\nc\n");
  expect(apply("a\n", "@@\n+b\n*** End of File\n")).toBe("a\nb\n");
  expect(() => apply("a\n", "@@\n+b\n")).toThrow("does not say where");
});

test("the newline at the end is kept, made or dropped as a unified diff says", () => {
  expect(apply("a\nb", "@@\n-a\n+A\n b\n")).toBe("A\nb");
  expect(apply("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n")).toBe("a\nB\n");
  expect(apply("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n\\ No newline at end of file\n")).toBe("a\nB");
});

test("line endings of the file are kept", () => {
  expect(apply("a\r\nb\r\nc\r\n", "@@\n a\n-b\n+B\n+B2\n c\n")).toBe("a\r\nB\r\nB2\r\nc\r\n");
});

test("a code fence around the diff and file headers in it are left out", () => {
  expect(apply("a\n", "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```")).toBe("b\n");
});

test.each([
  ["", "no hunks"],
  ["@@\n a\n", "changes nothing"],
  ["@@\n-a\nb\n", "starts with none of"],
])("the diff %j is refused", (diff, reason) => {
  expect(() => apply("a\nb\n", diff)).toThrow(reason);
});

test("the content of a new file is marked with + throughout or not at all", () => {
  expect(parseNewContent("+a\n+\n++++ b\n")).toBe("a\n\n+++ b\n");
  expect(parseNewContent("a\nb")).toBe("a\nb\n");
  expect(parseNewContent("@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n")).toBe("a");
  expect(() => parseNewContent("+a\nb\n")).toThrow("only lines that start with +");
});

test("a whole patch is read in both notations", () => {
  const envelope = parsePatch(
    "*** Begin Patch\n*** Add File: n.txt\n+new\n*** Update File: u.txt\n*** Move to: v.txt\n@@\n-a\n+b\n*** Delete File: d.txt\n*** End Patch\n",
  );
  expect(envelope.map((part) => [part.type, part.path])).toEqual([
    ["create", "n.txt"],
    ["update", "u.txt"],
    ["delete", "d.txt"],
  ]);
  expect(envelope[1]).toMatchObject({ newPath: "v.txt" });
  const git = parsePatch(
    "diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+new\ndiff --git a/o.txt b/p.txt\nsimilarity index 100%\nrename from o.txt\nrename to p.txt\ndiff --git a/d.txt b/d.txt\ndeleted file mode 100644\n--- a/d.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
  );
  expect(git).toMatchObject([
    { type: "create", path: "n.txt", content: "new\n" },
    { type: "update", path: "o.txt", newPath: "p.txt", hunks: [] },
    { type: "delete", path: "d.txt" },
  ]);
  expect(() => parsePatch("just words")).toThrow("names no file");
  expect(() => parsePatch("diff --git a/x b/x\nGIT binary patch\nliteral 1\n")).toThrow("binary");
});
