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

test("a hunk may name the end of the file as its place", () => {
  expect(apply("a\nb\na\n", "@@\n a\n+c\n*** End of File\n")).toBe("a\nb\na\nc\n");
  expect(apply("a\n", "@@\n+b\n*** End of File\n")).toBe("a\nb\n");
  expect(apply("a\n", "@@\n+b\n")).toBe("a\nb\n");
  expect(apply("a\nb\n", "@@\n+c\n@@\n-a\n+A\n")).toBe("A\nb\nc\n");
});

test("the newline at the end is kept, made or dropped as a unified diff says", () => {
  expect(apply("a\nb", "@@\n-a\n+A\n b\n")).toBe("A\nb");
  expect(apply("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n")).toBe("a\nB\n");
  expect(apply("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n\\ No newline at end of file\n")).toBe("a\nB");
});

test("a file without indentation has sections too", () => {
  const ini = "[a]\nx=1\n[b]\nx=1\n[c]\nx=1\n";
  expect(apply(ini, "@@ [b]\n-x=1\n+x=2\n")).toBe("[a]\nx=1\n[b]\nx=2\n[c]\nx=1\n");
  expect(apply("# One\ntext\n# Two\ntext\n", "@@ # Two\n-text\n+more\n")).toBe("# One\ntext\n# Two\nmore\n");
  expect(apply("a\nb\n", "@@ ... @@\n-b\n+c\n")).toBe("a\nc\n");
});

test("an anchor that occurs twice names the block that has the lines", () => {
  const text = "class A:\n    def f(self):\n        one()\nclass B:\n    def f(self):\n        two()\n";
  expect(apply(text, "@@ def f(self):\n-        two()\n+        three()\n")).toBe(text.replace("two", "three"));
});

test("a unified diff without context says after which line", () => {
  expect(apply("a\nb\nc\n", "@@ -2,0 +3,2 @@\n+x\n+y\n")).toBe("a\nb\nx\ny\nc\n");
  expect(apply("a\nb\n", "@@ -0,0 +1 @@\n+x\n")).toBe("x\na\nb\n");
  expect(() => apply("a\n", "@@ -9,0 +10 @@\n+x\n")).toThrow("which the file does not have");
});

test("typographic signs are met by those of a keyboard", () => {
  const text = "say(“hi” – it’s)\nend\n";
  expect(apply(text, '@@\n-say("hi" - it\'s)\n+say("ho")\n end\n')).toBe('say("ho")\nend\n');
  expect(apply(text, '@@\n say("hi" - it\'s)\n-end\n+END\n')).toBe("say(“hi” – it’s)\nEND\n");
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

test.each([
  ["an unknown section", "*** Begin Patch\n*** Rename File: a\n*** End Patch\n", "Line 2"],
  [
    "an unknown section behind a good one",
    "*** Begin Patch\n*** Add File: a\n+x\n*** Frobnicate File: b\n+y\n*** End Patch\n",
    "Line 4",
  ],
  ["lines under Delete", "*** Begin Patch\n*** Delete File: a\n-x\n*** End Patch\n", "Line 3"],
  ["text behind the end", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Delete File: b\n", "Line 4"],
  ["text before the begin", "words\n*** Begin Patch\n*** Delete File: a\n*** End Patch\n", "Line 1"],
  ["a begin inside", "*** Begin Patch\n*** Delete File: a\n*** Begin Patch\n*** End Patch\n", "Line 3"],
  ["a patch that was cut off", "*** Begin Patch\n*** Delete File: a\n", "cut off"],
  [
    "lines behind the end of the file",
    "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End of File\n+z\n*** End Patch\n",
    "behind *** End of File",
  ],
  ["a late move", "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Move to: b\n*** End Patch\n", "Line 6"],
  [
    "an indented heading in a new file",
    "*** Begin Patch\n*** Add File: a\n+x\n *** Delete File: b\n*** End Patch\n",
    "only lines that start with +",
  ],
  ["a hunk before the first name", "@@ -1 +1 @@\n-a\n+b\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "Line 1"],
  ["a link", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n", "120000"],
  ["a line git does not write", "diff --git a/l b/l\nnonsense\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-a\n+x\n", "nonsense"],
])("nothing of a patch is dropped: %s is refused", (_, patch, reason) => {
  expect(() => parsePatch(patch)).toThrow(reason);
});

test.each([
  [
    "two envelopes",
    "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Begin Patch\n*** Delete File: b\n*** End Patch\n",
    [
      ["delete", "a"],
      ["delete", "b"],
    ],
  ],
  [
    "no envelope",
    "*** Delete File: a\n*** Add File: b\n+x\n",
    [
      ["delete", "a"],
      ["create", "b"],
    ],
  ],
  [
    "indented headings",
    "*** Begin Patch\n  *** Delete File: a\n  *** Add File: b\n+x\n  *** End Patch  \n",
    [
      ["delete", "a"],
      ["create", "b"],
    ],
  ],
  [
    "a here-document",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n",
    [["delete", "a"]],
  ],
  ["a blank line before the end", "*** Begin Patch\n*** Add File: a\n+x\n\n*** End Patch\n", [["create", "a"]]],
  [
    "quoted paths",
    'diff --git "a/caf\\303\\251.txt" "b/caf\\303\\251.txt"\ndeleted file mode 100644\nindex e69de29..0000000\n',
    [["delete", "café.txt"]],
  ],
  ["an empty new file", "diff --git a/x y b/x y\nnew file mode 100644\nindex 0000000..e69de29\n", [["create", "x y"]]],
  [
    "an empty deleted file",
    "diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n",
    [["delete", "x"]],
  ],
  [
    "a mailed patch",
    "From 1 Mon\nSubject: x\n---\n a | 2 +-\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n-- \n2.39.5\n",
    [["update", "a"]],
  ],
])("what others accept is accepted: %s", (_, patch, expected) => {
  expect(parsePatch(patch).map((part) => [part.type, part.path])).toEqual(expected);
});

test("a new file's mode is read, and a blank line before the end adds none to the file", () => {
  expect(
    parsePatch("diff --git a/x b/x\nnew file mode 100755\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n"),
  ).toMatchObject([{ executable: true, content: "a\n" }]);
  expect(parsePatch("*** Begin Patch\n*** Add File: a\n+x\n\n*** End Patch\n")).toMatchObject([{ content: "x\n" }]);
  expect(parsePatch("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n")).toMatchObject([
    { type: "update", executable: true, hunks: [] },
  ]);
});
