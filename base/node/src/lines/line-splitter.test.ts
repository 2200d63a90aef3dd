import { expect, test } from "vitest";
import { type Line, type LineOptions, LineSplitter } from "./line-splitter.ts";

const mixed = `{"a":1}\n\n{"text":"line\u2028separator and paragraph\u2029separator, ü, 漢, 🧪"}\r\n{"b":2}\n`;
const mixedLines = [`{"a":1}`, "", `{"text":"line\u2028separator and paragraph\u2029separator, ü, 漢, 🧪"}`, `{"b":2}`];

function split(chunks: Buffer[], limits?: Partial<LineOptions>): Line[] {
  const splitter = new LineSplitter(limits);
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

test("lines come out whole wherever the chunks are cut", () => {
  const bytes = Buffer.from(mixed);
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(split([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(mixedLines);
  }
  expect(split(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(mixedLines);
});

test("only LF ends a line, and a CR before it is dropped", () => {
  expect(split([Buffer.from("a\rb\r\n\u2028\u2029\u0085\n\r\n")])).toEqual(["a\rb", "\u2028\u2029\u0085", ""]);
});

test("a line that is not UTF-8 is reported in its place and spoils no other", () => {
  const bytes = Buffer.concat([Buffer.from("good ü\n"), Buffer.from([0x61, 0xff, 0x62, 0x0a]), Buffer.from("fine\n")]);
  const broken = { problem: "invalid_utf8", head: "a\ufffdb", bytes: 3 };
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(split([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(["good ü", broken, "fine"]);
  }
});

test("a line over the limit is reported with its head and length, however it is cut", () => {
  const bytes = Buffer.from("short\n0123456789abcdef\nnext\n");
  const oversized = { problem: "oversized", head: "0123", bytes: 16 };
  for (let cut = 0; cut <= bytes.length; cut++) {
    const lines = split([bytes.subarray(0, cut), bytes.subarray(cut)], { lineBytes: 10, headBytes: 4 });
    expect(lines).toEqual(["short", oversized, "next"]);
  }
  expect(
    split(
      Array.from(bytes, (byte) => Buffer.from([byte])),
      { lineBytes: 10, headBytes: 4 },
    ),
  ).toEqual(["short", oversized, "next"]);
});

test("a line of exactly the limit passes", () => {
  expect(split([Buffer.from("0123456789\n")], { lineBytes: 10 })).toEqual(["0123456789"]);
});

test("the memory does not grow with the length of a line", () => {
  const splitter = new LineSplitter({ lineBytes: 1024 * 1024 });
  const chunk = Buffer.alloc(1024 * 1024, "x");
  splitter.push(chunk);
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 200; count++) expect(splitter.push(chunk)).toEqual([]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
  const [line] = splitter.push(Buffer.from("\n"));
  expect(line).toEqual({ problem: "oversized", head: "x".repeat(64 * 1024), bytes: 201 * 1024 * 1024 });
});

test("what the end cuts off is reported, a finished line is not", () => {
  expect(split([Buffer.from('{"a":1}\n{"b"')])).toEqual([
    `{"a":1}`,
    { problem: "unterminated", head: '{"b"', bytes: 4 },
  ]);
  expect(split([Buffer.from("a\n")])).toEqual(["a"]);
  expect(split([])).toEqual([]);
});

test("a cut off line may also be too long or not UTF-8", () => {
  expect(split([Buffer.from("0123456789")], { lineBytes: 5, headBytes: 3 })).toEqual([
    { problem: "oversized", head: "012", bytes: 10 },
  ]);
  expect(split([Buffer.from([0x61, 0xc3])])).toEqual([{ problem: "invalid_utf8", head: "a\ufffd", bytes: 2 }]);
});
