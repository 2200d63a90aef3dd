import { expect, test } from "vitest";
import type { Line } from "./jsonl.ts";
import { readSseLines } from "./sse-lines.ts";

async function linesOf(...chunks: string[]): Promise<Line[]> {
  const read: Line[] = [];
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
  await readSseLines(ReadableStream.from(bytes), (lines) => read.push(...lines));
  return read;
}

test("the data of each event is a line, wherever the chunks are cut", async () => {
  const text = 'event: x\ndata: {"a":1}\n\n: comment\nid: 7\ndata:{"b":"é"}\r\n\r\n';
  expect(await linesOf(text)).toEqual(['{"a":1}', '{"b":"é"}']);
  expect(await linesOf(...text)).toEqual(['{"a":1}', '{"b":"é"}']);
});

test("data of several lines is one, and an event that was cut off is none", async () => {
  expect(await linesOf("data: {\ndata: }\n\ndata: cut")).toEqual(["{\n}"]);
});

test("a stream that breaks rejects", async () => {
  const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("reset")) });
  await expect(readSseLines(broken, () => {})).rejects.toThrow("reset");
});
