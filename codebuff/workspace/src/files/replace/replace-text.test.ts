import { expect, test } from "vitest";
import { replaceText } from "./replace-text.ts";

const one = (text: string, old: string, fresh: string, allowMultiple = false) =>
  replaceText(text, [{ old, new: fresh, allowMultiple }]);

test("an exact text that stands once is replaced", () => {
  expect(one("alpha\nbeta\n", "alpha", "ALPHA")).toEqual({ text: "ALPHA\nbeta\n", failures: [] });
});

test("replacement patterns of JavaScript are plain text", () => {
  expect(one("price\n", "price", "$& $1 $$").text).toBe("$& $1 $$\n");
});

test("a text that stands twice is refused with its lines, and replaced everywhere when that is wanted", () => {
  const refused = one("a\nb\na\n", "a", "c");
  expect(refused.text).toBe("a\nb\na\n");
  expect(refused.failures[0]?.message).toContain("2 times (lines 1, 3)");
  expect(one("a\nb\na\n", "a", "c", true).text).toBe("c\nb\nc\n");
});

test("replacements follow each other and a failed one does not stop the next", () => {
  const result = replaceText("a\n", [
    { old: "a", new: "b", allowMultiple: false },
    { old: "zzz", new: "y", allowMultiple: false },
    { old: "b", new: "c", allowMultiple: false },
  ]);
  expect(result.text).toBe("c\n");
  expect(result.failures.map((failure) => failure.index)).toEqual([1]);
});

test("a file with CRLF is searched with LF and keeps CRLF, also in new lines", () => {
  expect(one("a\r\nb\r\nc\r\n", "a\nb", "a\nx\ny").text).toBe("a\r\nx\r\ny\r\nc\r\n");
  expect(one("a\r\nb\r\n", "b", "x\ny").text).toBe("a\r\nx\r\ny\r\n");
});

test("in a file with both endings every line keeps its own", () => {
  expect(one("a\r\nb\nc\r\nd\n", "b\nc", "B\nC").text).toBe("a\r\nB\nC\r\nd\n");
  expect(one("a\r\nb\nc\nd\r\n", "c", "C\nC2").text).toBe("a\r\nb\nC\nC2\nd\r\n");
});

test("text with other indentation is found, and new lines get the file's indentation", () => {
  const text = "class A {\n    run() {\n        go();\n    }\n}\n";
  const result = one(text, "run() {\n    go();\n}", "run() {\n    stop();\n    go();\n}");
  expect(result).toEqual({
    text: "class A {\n    run() {\n        stop();\n        go();\n    }\n}\n",
    matchedBy: "indentation",
    failures: [],
  });
});

test("text with other blanks inside is found only as whole lines in one place, and said to be", () => {
  expect(one("export function foo(){\n  return 1\n}\n", "export function foo() {\nreturn 1\n}", "X")).toEqual({
    text: "X\n",
    matchedBy: "whitespace",
    failures: [],
  });
  const twice = one("f(a,b);\nf(a,b);\n", "f( a, b );", "g();");
  expect(twice.text).toBe("f(a,b);\nf(a,b);\n");
  expect(twice.failures[0]?.message).toContain("2 places");
});

test("a blank between two words is never made up or lost", () => {
  expect(one("returnx;\n", "return x;", "y;").failures).toHaveLength(1);
  expect(one("const ab = 1;\n", "const a b = 1;", "y;").failures).toHaveLength(1);
});

test("a new line that carries the caller's blanks over is refused", () => {
  const result = one("call(a, b);\n", "call( a, b );", "call( a, c );");
  expect(result.text).toBe("call(a, b);\n");
  expect(result.failures).toHaveLength(1);
});

test("lines the caller did not touch keep the file's bytes", () => {
  const text = "if (x) {\n\tone( 1 );\n\ttwo();\n}\n";
  expect(one(text, "if (x) {\n\tone(1);\n\ttwo();\n}", "if (x) {\n\tone(1);\n\tthree();\n}").text).toBe(
    "if (x) {\n\tone( 1 );\n\tthree();\n}\n",
  );
});

test("Python blocks are not matched when the depth of lines differs", () => {
  const text = "if a:\n    b()\nc()\n";
  expect(one(text, "if a:\n    b()\n    c()", "if a:\n    d()").failures).toHaveLength(1);
});

test("a failure shows the nearest text with its lines", () => {
  const text = Array.from({ length: 50 }, (_, index) => `line number ${index + 1}`).join("\n");
  const message = one(text, "line numbr 33", "x").failures[0]?.message;
  expect(message).toContain("33: line number 33");
});

test("equal texts, and a text that is nowhere alike, are told apart", () => {
  expect(one("a\n", "a", "a").failures[0]?.message).toContain("the same");
  expect(one("abc\n", "zzzzzz", "y").failures[0]?.message).toContain("Nothing in the file looks like it");
});

test("a block whose lines are all shifted alike is replaced with the file's indentation", () => {
  const text = "class A {\n    run() {\n        go();\n    }\n}\n";
  const fresh = replaceText(text, [
    { old: "run() {\n    go();\n}", new: "walk() {\n    slow();\n}", allowMultiple: false },
  ]);
  expect(fresh).toEqual({
    text: text.replace("run", "walk").replace("go", "slow"),
    matchedBy: "indentation",
    failures: [],
  });
});

test("line numbers that were pasted with the text are left out, and say which place is meant", () => {
  const text = "a\nx\nb\nx\n";
  const replace = (old: string, fresh: string) => replaceText(text, [{ old, new: fresh, allowMultiple: false }]);
  expect(replace("2 | x\n3 | b", "2 | y\n3 | b").text).toBe("a\ny\nb\nx\n");
  expect(replace("4: x", "y").text).toBe("a\nx\nb\ny\n");
  expect(replace("     1\ta\n     2\tx\n", "     1\tA\n     2\tx\n").text).toBe("A\nx\nb\nx\n");
  expect(replace("7 | b", "c").text).toBe("a\nx\nc\nx\n");
  expect(replace("1 | x", "y").failures).toHaveLength(1);
  expect(replace("1 | a\n5 | b", "y").failures).toHaveLength(1);
});
