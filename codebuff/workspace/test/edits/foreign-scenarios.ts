export type Origin = "Codex" | "OpenCode" | "aider" | "Roo";
type Files = Readonly<Record<string, string>>;

/** What other projects' test suites say about edits, as facts: what was there, what was asked, what they make of it. */
export interface Scenario {
  readonly from: Origin;
  readonly name: string;
  readonly before: Files;
  readonly call: { readonly toolName: "apply_patch" | "str_replace"; readonly input: Record<string, unknown> };
  /** The project afterwards, or that they refuse it. */
  readonly theirs: Files | "refused";
}

const envelope = (body: string) => `*** Begin Patch\n${body}\n*** End Patch\n`;
const patchCall = (patch: string) =>
  ({ toolName: "apply_patch", input: { operation: { type: "patch", patch } } }) as const;
const patching =
  (from: Origin) =>
  (name: string, before: Files, body: string, theirs: Files | "refused"): Scenario => ({
    from,
    name,
    before,
    call: patchCall(envelope(body)),
    theirs,
  });
const raw =
  (from: Origin) =>
  (name: string, before: Files, patch: string, theirs: Files | "refused"): Scenario => ({
    from,
    name,
    before,
    call: patchCall(patch),
    theirs,
  });
const replacing =
  (from: Origin) =>
  (
    name: string,
    text: string,
    pairs: readonly (readonly [old: string, fresh: string, all?: "all"])[],
    theirs: string | "refused",
  ): Scenario => ({
    from,
    name,
    before: { "f.txt": text },
    call: {
      toolName: "str_replace",
      input: {
        path: "f.txt",
        replacements: pairs.map(([old, fresh, all]) => ({ old, new: fresh, allowMultiple: all !== undefined })),
      },
    },
    theirs: theirs === "refused" ? theirs : { "f.txt": theirs },
  });

const codex = patching("Codex");
const codexRaw = raw("Codex");
const opencode = patching("OpenCode");
const opencodeEdit = replacing("OpenCode");
const aider = replacing("aider");
const roo = replacing("Roo");

const update = (lines: string) => `*** Update File: f.txt\n${lines}`;

export const scenarios: readonly Scenario[] = [
  codex("a new file", {}, "*** Add File: docs/bar.md\n+Hello\n+World", { "docs/bar.md": "Hello\nWorld\n" }),
  codex(
    "three kinds of change at once",
    { "m.txt": "one\ntwo\n", "d.txt": "gone\n" },
    "*** Add File: n/new.txt\n+made\n*** Delete File: d.txt\n*** Update File: m.txt\n@@\n-two\n+TWO",
    { "m.txt": "one\nTWO\n", "n/new.txt": "made\n" },
  ),
  codex("two hunks in one file", { "f.txt": "1\n2\n3\n4\n" }, update("@@\n-2\n+two\n@@\n-4\n+four"), {
    "f.txt": "1\ntwo\n3\nfour\n",
  }),
  codex(
    "a move to a new directory with a change",
    { "old/a.txt": "from\n", "old/b.txt": "stays\n" },
    "*** Update File: old/a.txt\n*** Move to: new/deep/a.txt\n@@\n-from\n+to",
    { "old/b.txt": "stays\n", "new/deep/a.txt": "to\n" },
  ),
  codex("an empty patch", { "f.txt": "a\n" }, "", "refused"),
  codex("context that is not there", { "f.txt": "a\nb\n" }, update("@@\n-x\n+y"), "refused"),
  codex("a missing file to delete", { "f.txt": "a\n" }, "*** Delete File: none.txt", "refused"),
  codex("an update without hunks", { "f.txt": "a\n" }, "*** Update File: f.txt", "refused"),
  codex("a missing file to update", { "f.txt": "a\n" }, "*** Update File: none.txt\n@@\n-a\n+b", "refused"),
  codex(
    "a move over another file",
    { "a.txt": "from\n", "b.txt": "there\n" },
    "*** Update File: a.txt\n*** Move to: b.txt\n@@\n-from\n+new",
    { "b.txt": "new\n" },
  ),
  codex("a new file over another one", { "f.txt": "old\n" }, "*** Add File: f.txt\n+new", { "f.txt": "new\n" }),
  codex("a directory to delete", { "d/x.txt": "a\n" }, "*** Delete File: d", "refused"),
  codex("an unknown heading", { "f.txt": "a\n" }, "*** Frobnicate File: f.txt", "refused"),
  codex("a last line without a newline", { "f.txt": "no newline" }, update("@@\n-no newline\n+first\n+second"), {
    "f.txt": "first\nsecond\n",
  }),
  codex("lines only added, without a place", { "f.txt": "a\nb\n" }, update("@@\n+c\n+d"), { "f.txt": "a\nb\nc\nd\n" }),
  codex(
    "added lines first, then a change above",
    { "f.txt": "1\n2\n3\n" },
    update("@@\n+after\n+more\n@@\n 1\n-2\n-3\n+two"),
    { "f.txt": "1\ntwo\nafter\nmore\n" },
  ),
  codex("a heading with blanks around it", { "f.txt": "old\n" }, "  *** Update File: f.txt  \n@@\n-old\n+new", {
    "f.txt": "new\n",
  }),
  codexRaw(
    "marks with blanks around them",
    { "f.txt": "one\n" },
    " *** Begin Patch \n*** Update File: f.txt\n@@\n-one\n+two\n  *** End Patch\n",
    { "f.txt": "two\n" },
  ),
  codex(
    "letters of other scripts",
    { "f.txt": "line1\nnaïve café ✅\nline3\n" },
    update("@@\n line1\n-naïve café ✅\n+naïve café ✅ 漢字\n line3"),
    { "f.txt": "line1\nnaïve café ✅ 漢字\nline3\n" },
  ),
  codex("only a deletion of a file", { "k.txt": "keep\n", "o.txt": "x\n" }, "*** Delete File: o.txt", {
    "k.txt": "keep\n",
  }),
  codex("lines only removed", { "f.txt": "1\n2\n3\n" }, update("@@\n 1\n-2\n 3"), { "f.txt": "1\n3\n" }),
  codex("the end of the file as a place", { "f.txt": "a\nb\n" }, update("@@\n a\n-b\n+B\n*** End of File"), {
    "f.txt": "a\nB\n",
  }),
  codex(
    "the first of two same lines by an anchor",
    { "f.txt": "fn a\n  x\nfn b\n  x\n" },
    update("@@ fn b\n-  x\n+  y"),
    { "f.txt": "fn a\n  x\nfn b\n  y\n" },
  ),
  codex(
    "dashes and quotes of typographers",
    { "f.txt": "import x  # local import – avoids top‑level dep\n" },
    update("@@\n-import x  # local import - avoids top-level dep\n+import x  # short"),
    { "f.txt": "import x  # short\n" },
  ),
  codex("blanks at the ends of lines", { "f.txt": "a  \nb\t\n" }, update("@@\n a\n-b\n+c"), { "f.txt": "a  \nc\n" }),
  codex("a first hunk without its mark", { "f.txt": "import foo\nbar\n" }, update(" import foo\n+baz\n bar"), {
    "f.txt": "import foo\nbaz\nbar\n",
  }),
  codex("a blank line before the end", { "f.txt": "a\nb\n" }, `${update("@@\n-a\n+A")}\n`, { "f.txt": "A\nb\n" }),
  codexRaw("a here-document around it", { "f.txt": "a\n" }, `<<'EOF'\n${envelope(update("@@\n-a\n+b"))}EOF\n`, {
    "f.txt": "b\n",
  }),
  codexRaw(
    "the command in front of the here-document",
    { "f.txt": "a\n" },
    `apply_patch <<EOF\n${envelope(update("@@\n-a\n+b"))}EOF\n`,
    { "f.txt": "b\n" },
  ),
  codexRaw("no end", { "f.txt": "a\n" }, "*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+b\n", "refused"),
  codexRaw("words before the begin", { "f.txt": "a\n" }, `Here it is:\n${envelope(update("@@\n-a\n+b"))}`, "refused"),
  codexRaw("only words", { "f.txt": "a\n" }, "please change a to b", "refused"),
  codex(
    "a part that fails leaves the others undone",
    { "f.txt": "a\n" },
    "*** Add File: n.txt\n+x\n*** Update File: none.txt\n@@\n-a\n+b",
    "refused",
  ),
  codex(
    "two anchors in a row",
    { "f.txt": "class A\n  def f\n    x\nclass B\n  def f\n    x\n" },
    update("@@ class B\n@@   def f\n-    x\n+    y"),
    { "f.txt": "class A\n  def f\n    x\nclass B\n  def f\n    y\n" },
  ),
  codex(
    "several changes with context between",
    { "f.txt": "a\nb\nc\nd\ne\nf\n" },
    update("@@\n a\n-b\n+B\n@@\n c\n d\n-e\n+E\n@@\n f\n+g\n*** End of File"),
    { "f.txt": "a\nB\nc\nd\nE\nf\ng\n" },
  ),
  codex("a new empty file", {}, "*** Add File: empty.txt", { "empty.txt": "" }),
  codex("a file with Windows endings", { "f.txt": "a\r\nb\r\n" }, update("@@\n a\n-b\n+B"), { "f.txt": "a\r\nB\r\n" }),
  codex("a line with a plus in a new file", {}, "*** Add File: n.txt\n++1\n+-1\n+ x", { "n.txt": "+1\n-1\n x\n" }),
  codex("an anchor that is not there", { "f.txt": "a\nb\n" }, update("@@ nowhere\n-b\n+c"), "refused"),
  codex("the first of two same places", { "f.txt": "x\ny\nx\n" }, update("@@\n-x\n+z"), { "f.txt": "z\ny\nx\n" }),

  opencode("an insertion between lines", { "f.txt": "alpha\nomega\n" }, update("@@\n alpha\n+beta\n omega"), {
    "f.txt": "alpha\nbeta\nomega\n",
  }),
  opencode(
    "a byte order mark stays",
    { "f.txt": "\ufeffusing System;\n\nclass A {}\n" },
    update("@@\n class A {}\n+class B {}"),
    { "f.txt": "\ufeffusing System;\n\nclass A {}\nclass B {}\n" },
  ),
  opencode(
    "a section of a file without indentation",
    { "f.txt": "[a]\nv=1\n[b]\nv=1\n[c]\nv=1\n" },
    update("@@ [b]\n-v=1\n+v=2"),
    { "f.txt": "[a]\nv=1\n[b]\nv=2\n[c]\nv=1\n" },
  ),
  opencode("a chapter of a document", { "f.txt": "# One\ntext\n\n# Two\ntext\n" }, update("@@ # Two\n-text\n+words"), {
    "f.txt": "# One\ntext\n\n# Two\nwords\n",
  }),
  opencode(
    "the last of two same places by the end",
    { "f.txt": "start\nmark\nmid\nmark\nend\n" },
    update("@@\n-mark\n-end\n+MARK\n+end\n*** End of File"),
    { "f.txt": "start\nmark\nmid\nMARK\nend\n" },
  ),
  opencode("blanks in front of lines", { "f.txt": "  a\n  b\n" }, update("@@\n-a\n+A\n b"), { "f.txt": "  A\n  b\n" }),
  opencode("curly quotes in the file", { "f.txt": "say “hello”\n" }, update('@@\n-say "hello"\n+say "bye"'), {
    "f.txt": 'say "bye"\n',
  }),
  opencode("nothing but the marks", {}, "", "refused"),
  opencode("a directory", { "d/x": "a\n" }, "*** Delete File: d", "refused"),
  opencodeEdit(
    "one place",
    "const a = 1;\nconst b = 2;\n",
    [["const a = 1;", "const a = 10;"]],
    "const a = 10;\nconst b = 2;\n",
  ),
  opencodeEdit("two places", "foo\nbar\nfoo\n", [["foo", "qux"]], "refused"),
  opencodeEdit("every place", "foo bar foo baz foo\n", [["foo", "qux", "all"]], "qux bar qux baz qux\n"),
  opencodeEdit("the same text", "a\n", [["a", "a"]], "refused"),
  opencodeEdit("text that is not there", "a\n", [["zzz", "b"]], "refused"),
  opencodeEdit(
    "blanks around the searched lines",
    "if (a) {\n  go();\n}\n",
    [["  if (a) {\n    go();\n  }", "  if (a) {\n    stop();\n  }"]],
    "if (a) {\n  stop();\n}\n",
  ),
  opencodeEdit(
    "other blanks between words",
    "const   x =  1;\nlet y;\n",
    [["const x = 1;\n", "const x = 2;\n"]],
    "const x = 2;\nlet y;\n",
  ),
  opencodeEdit("Windows endings", "a\r\nb\r\nc\r\n", [["a\nb", "A\nB"]], "A\r\nB\r\nc\r\n"),
  opencodeEdit("a dollar in the new text", "price\n", [["price", "$& $1 $$"]], "$& $1 $$\n"),
  opencodeEdit(
    "first and last line known, middle different",
    "function f() {\n  const a = 1;\n  return a + 1;\n}\nend\n",
    [["function f() {\n  const b = 1;\n  return b;\n}", "function f() {\n  return 2;\n}"]],
    "function f() {\n  return 2;\n}\nend\n",
  ),
  opencodeEdit("escaped newlines for real ones", "a\nb\n", [["a\\nb", "c"]], "c\n"),
  opencodeEdit("a single line with blanks around", "  token\n", [["token  ", "word  "]], "  word  \n"),
  opencodeEdit("a deletion of a whole line", "a\nb\nc\n", [["b\n", ""]], "a\nc\n"),

  aider("a plain line", "one\ntwo\nthree\n", [["two", "new"]], "one\nnew\nthree\n"),
  aider(
    "no indentation at all",
    "    line1\n    line2\n    line3\n",
    [["line1\nline2\n", "new1\nnew2\n"]],
    "    new1\n    new2\n    line3\n",
  ),
  aider(
    "outer indentation left away, two depths",
    "\n    line1\n    line2\n        line3\n    line4\n",
    [["line2\n    line3\n", "new2\n    new3\n"]],
    "\n    line1\n    new2\n        new3\n    line4\n",
  ),
  aider(
    "a part of the indentation",
    "    line1\n    line2\n    line3\n",
    [[" line1\n line2\n", " new1\n     new2\n"]],
    "    new1\n        new2\n    line3\n",
  ),
  aider(
    "a blank line in front",
    "    line1\n    line2\n    line3\n",
    [["\n  line1\n  line2\n", "  new1\n  new2\n"]],
    "    new1\n    new2\n    line3\n",
  ),
  aider(
    "the first of two same lines",
    "line1\nline2\nline1\nline3\n",
    [["line1\n", "new\n"]],
    "new\nline2\nline1\nline3\n",
  ),
  aider(
    "the first of two, indentation left away",
    "    line1\n    line2\n    line1\n    line3\n",
    [["line1\n", "new\n"]],
    "    new\n    line2\n    line1\n    line3\n",
  ),
  aider(
    "two edits of one file",
    "one\ntwo\nthree\n",
    [
      ["one", "1"],
      ["three", "3"],
    ],
    "1\ntwo\n3\n",
  ),
  aider(
    "dots for lines that stay",
    "def a():\n    x = 1\n    y = 2\n    z = 3\n",
    [["def a():\n...\n    z = 3\n", "def b():\n...\n    z = 3\n"]],
    "def b():\n    x = 1\n    y = 2\n    z = 3\n",
  ),
  aider(
    "text that is only like it",
    "This is a sample text.\nmore\n",
    [["This was a sample text.\n", "Other.\n"]],
    "refused",
  ),

  roo(
    "one function",
    'function hello() {\n    console.log("hello")\n}\n',
    [['function hello() {\n    console.log("hello")\n}', 'function hello() {\n    console.log("world")\n}']],
    'function hello() {\n    console.log("world")\n}\n',
  ),
  roo(
    "two blocks",
    'function hello() {\n    console.log("hello")\n}\n',
    [
      ["function hello() {", "function greet() {"],
      ['    console.log("hello")', '    console.log("world")'],
    ],
    'function greet() {\n    console.log("world")\n}\n',
  ),
  roo(
    "blank lines around it in the file",
    "\nfunction a() {\n    return 42;\n}\n\n",
    [["function a() {\n    return 42;\n}", "function a() {\n    return 43;\n}"]],
    "\nfunction a() {\n    return 43;\n}\n\n",
  ),
  roo(
    "a block that is deeper in the file",
    "    function t() {\n        return true;\n    }\n",
    [["function t() {\n    return true;\n}", "function t() {\n    return false;\n}"]],
    "    function t() {\n        return false;\n    }\n",
  ),
  roo(
    "a block that is less deep in the file",
    "class A {\n    a() {\n        this.v = 0;\n    }\n}\n",
    [
      [
        "    class A {\n        a() {\n            this.v = 0;\n        }\n    }",
        "    class A {\n        a() {\n            this.v = 1;\n        }\n    }",
      ],
    ],
    "class A {\n    a() {\n        this.v = 1;\n    }\n}\n",
  ),
  roo(
    "tabs",
    "function t() {\n\treturn true;\n}\n",
    [["function t() {\n\treturn true;\n}", "function t() {\n\treturn false;\n}"]],
    "function t() {\n\treturn false;\n}\n",
  ),
  roo(
    "tabs and blanks mixed",
    "\tclass E {\n\t    c() {\n\t\tthis.v = 0;\n\t    }\n\t}",
    [
      [
        "\tclass E {\n\t    c() {\n\t\tthis.v = 0;\n\t    }\n\t}",
        "\tclass E {\n\t    c() {\n\t\tthis.v = 1;\n\t    }\n\t}",
      ],
    ],
    "\tclass E {\n\t    c() {\n\t\tthis.v = 1;\n\t    }\n\t}",
  ),
  roo(
    "an added line, one tab deeper in the file",
    "\tfunction t() {\n\t\treturn true;\n\t}",
    [["function t() {\n\treturn true;\n}", "function t() {\n\t// note\n\treturn false;\n}"]],
    "\tfunction t() {\n\t\t// note\n\t\treturn false;\n\t}",
  ),
  roo(
    "Windows endings",
    "function t() {\r\n    return true;\r\n}\r\n",
    [["function t() {\n    return true;\n}", "function t() {\n    return false;\n}"]],
    "function t() {\r\n    return false;\r\n}\r\n",
  ),
  roo(
    "other content",
    'function hello() {\n    console.log("hello")\n}\n',
    [['function hello() {\n    console.log("wrong")\n}', "x"]],
    "refused",
  ),
  roo(
    "lines added in the middle",
    "class A {\n    get() {\n        return this.v\n    }\n}\n",
    [
      [
        "    get() {\n        return this.v\n    }",
        "    get() {\n        // look\n        log()\n        return this.v\n    }",
      ],
    ],
    "class A {\n    get() {\n        // look\n        log()\n        return this.v\n    }\n}\n",
  ),
  roo(
    "pasted line numbers",
    "function t() {\n    return true;\n}\n",
    [["1 | function t() {\n2 |     return true;\n3 | }", "1 | function t() {\n2 |     return false;\n3 | }"]],
    "function t() {\n    return false;\n}\n",
  ),
  roo("pasted line numbers in the old text only", "a\nb\nc\n", [["2 | b", "B"]], "a\nB\nc\n"),
  roo("pasted line numbers with blanks in front", "a\nb\nc\n", [["  1 | a\n  2 | b", "  1 | A\n  2 | b"]], "A\nb\nc\n"),
  roo("numbers on some lines only", "a\nb\n", [["1 | a\nb", "x"]], "refused"),
  roo("a pipe that belongs to the text", "1 | a\n2 | b\n", [["1 | a", "1 | c"]], "1 | c\n2 | b\n"),
  roo("a deletion", "a\nb\nc\n", [["b\n", ""]], "a\nc\n"),
  roo(
    "a deletion of several lines in a block",
    "function f() {\n    one();\n    two();\n    three();\n}\n",
    [["    one();\n    two();\n", ""]],
    "function f() {\n    three();\n}\n",
  ),
  roo("the second of two same blocks by its line", "x\na\nx\na\n", [["3 | x\n4 | a", "y\nb"]], "x\na\ny\nb\n"),
  roo("an empty search", "a\n", [["", "b"]], "refused"),
  roo("entities for signs", "if (a && b) {}\n", [["if (a &amp;&amp; b) {}", "if (a) {}"]], "refused"),
  roo("a file without a newline at its end", "a\nb", [["b", "c"]], "a\nc"),
];
