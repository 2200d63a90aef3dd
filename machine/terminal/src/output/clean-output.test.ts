import { describe, expect, test } from "vitest";
import { boundedText, tailText } from "./bounded-text.ts";
import { cleanOutput, unfinishedEnd } from "./clean-output.ts";

describe("cleaning output", () => {
  test.each([
    ["colours", "\x1b[1;31mred\x1b[0m\x1b(B text", "red text"],
    ["titles and links", "\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "alink"],
    ["device control strings", "\x1bPq#0;2\x1b\\after", "after"],
    ["line ends of a terminal", "a\r\nb\r\r\nc", "a\nb\nc"],
    ["a progress line in its last state", "10%\r50%\r100%\r\ndone", "100%\ndone"],
    ["a progress line that erases itself", "long text\r\x1b[2Kshort\n", "short\n"],
    ["overstrikes", "b\bbo\bol\bld", "bold"],
    ["control characters", "a\x00b\x07c\x7fd\x9be\tf", "abcde\tf"],
    ["a sequence cut off by the end", "abc\x1b[", "abc"],
    ["a title that never ends", "abc\x1b]0;rest", "abc0;rest"],
    ["text without any of it", "üñ 😀 plain\n", "üñ 😀 plain\n"],
  ])("handles %s", (_, raw, expected) => expect(cleanOutput(raw)).toBe(expected));

  test.each([
    ["abc", 0],
    ["abc\x1b", 1],
    ["abc\x1b[3", 3],
    ["abc\x1b[31m", 0],
    ["abc\x1b]0;ti", 6],
    ["abc\x1b]0;ti\x07", 0],
    ["ü", 0],
  ])("finds the unfinished end of %j", (text, held) => expect(unfinishedEnd(Buffer.from(text))).toBe(held));

  test("half a character at the end is unfinished, at each of its bytes", () => {
    const smile = Buffer.from("x😀");
    for (let length = 2; length < smile.length; length++) {
      expect(unfinishedEnd(smile.subarray(0, length))).toBe(length - 1);
    }
    expect(unfinishedEnd(smile)).toBe(0);
  });
});

describe("bounded text", () => {
  const none = Buffer.alloc(0);

  test("keeps head and tail and counts what it removed, never half a character", () => {
    const { text, truncated } = boundedText({ head: Buffer.from("😀".repeat(100)), tail: none, dropped: 0 }, 50);
    expect(truncated).toBe(true);
    expect(text).toBe(`${"😀".repeat(12)}\n[… 152 characters removed …]\n${"😀".repeat(12)}`);
  });

  test("joins both ends of a stream whose middle was dropped", () => {
    const unread = {
      head: Buffer.from("start ü").subarray(0, 7),
      tail: Buffer.from("ü end").subarray(1),
      dropped: 1000,
    };
    expect(boundedText(unread, 100)).toEqual({ text: "start \n[… 1000 bytes removed …]\n end", truncated: true });
  });

  test("tail text ends with the newest", () => {
    const unread = { head: Buffer.from(`${"a".repeat(500)}the end`), tail: none, dropped: 0 };
    expect(tailText(unread, 20).text).toMatch(/^\[… \d+ characters removed …]\na{13}the end$/);
  });
});
