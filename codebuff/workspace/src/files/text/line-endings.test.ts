import { expect, test } from "vitest";
import { keepLineEndings } from "./line-endings.ts";

test.each([
  ["a CRLF file", "a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"],
  ["an LF file given CRLF", "a\nb\n", "a\r\nc\r\n", "a\nc\n"],
  ["a file of one line", "a", "b\r\nc", "b\r\nc"],
  ["a file with both", "a\r\nb\nc\r\n", "a\nnew\nb\nc\n", "a\r\nnew\r\nb\nc\r\n"],
])("the endings of %s stay", (_title, before, after, expected) => {
  expect(keepLineEndings(before, after)).toBe(expected);
});
