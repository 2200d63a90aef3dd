import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { readLines } from "./read-lines.ts";

const lines = async (...chunks: (string | Buffer)[]) => {
  const found: (string | undefined)[] = [];
  for await (const line of readLines(Readable.from(chunks))) found.push(line);
  return found;
};

it("cuts at LF alone, wherever the chunks end", async () => {
  const text = Buffer.from("a\u2028ä\r\n\n😀");
  const everyByte = [...text].map((byte) => Buffer.from([byte]));
  expect(await lines(...everyByte)).toEqual(["a\u2028ä\r", "", "😀"]);
  expect(await lines(text)).toEqual(["a\u2028ä\r", "", "😀"]);
});

it("gives undefined for a line beyond the limit, and the next one whole", async () => {
  const piece = Buffer.alloc(33 * 1024 * 1024, 120);
  expect(await lines(piece, piece, "\nnext\n")).toEqual([undefined, "next"]);
});
