import { Readable } from "node:stream";
import { expect, it } from "vitest";
import type { Line } from "./line-splitter.ts";
import { readLines } from "./read-lines.ts";

const linesOf = async (...chunks: (string | Buffer)[]) => {
  const found: Line[] = [];
  const options = { lineBytes: 64 * 1024 * 1024, unterminated: "line", invalid: "replaced" } as const;
  for await (const line of readLines(Readable.from(chunks), options)) found.push(line);
  return found;
};

it("a stream is cut at LF alone, wherever its chunks end, and its last line may lack the LF", async () => {
  const text = Buffer.from("a\u2028ä\r\n\n😀");
  const everyByte = [...text].map((byte) => Buffer.from([byte]));
  expect(await linesOf(...everyByte)).toEqual(["a\u2028ä", "", "😀"]);
  expect(await linesOf(text)).toEqual(["a\u2028ä", "", "😀"]);
});

it("a line beyond the limit is broken, and the next one is whole", async () => {
  const piece = Buffer.alloc(33 * 1024 * 1024, 120);
  expect(await linesOf(piece, piece, "\nnext\n")).toMatchObject([
    { problem: "oversized", bytes: 2 * piece.length },
    "next",
  ]);
});

it("bytes that are no UTF-8 are replaced where the reader wants that", async () => {
  expect(await linesOf(Buffer.from([0x61, 0xff, 0x0a]))).toEqual(["a\ufffd"]);
});
