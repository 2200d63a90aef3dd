import type { FileHandle } from "node:fs/promises";

const blockSize = 256 * 1024;

export interface PlacedLine {
  /** Where the line begins in the file. */
  readonly offset: number;
  readonly text: string;
}

/** Whole lines from the start; a tail without its line feed was torn by a crash and is not a line. LF only. */
export async function* linesForward(file: FileHandle, from = 0): AsyncGenerator<PlacedLine> {
  let carry: Buffer[] = [];
  let carried = 0;
  let at = from;
  let start = from;
  for (;;) {
    const block = Buffer.allocUnsafe(blockSize);
    const { bytesRead } = await file.read(block, 0, blockSize, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    let rest = block.subarray(0, bytesRead);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      carry.push(rest.subarray(0, end));
      yield { offset: start, text: Buffer.concat(carry).toString("utf8") };
      start += carried + end + 1;
      carry = [];
      carried = 0;
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) {
      carry.push(rest);
      carried += rest.length;
    }
  }
}

/** Whole lines from the end, the last one first, reading only as much as is asked for. */
export async function* linesBackward(file: FileHandle, before?: number): AsyncGenerator<PlacedLine> {
  let at = before ?? (await file.stat()).size;
  let parts: Buffer[] = [];
  let isTorn = before === undefined;
  while (at > 0) {
    const size = Math.min(blockSize, at);
    at -= size;
    let block = Buffer.allocUnsafe(size);
    block = block.subarray(0, (await file.read(block, 0, size, at)).bytesRead);
    for (let end = block.lastIndexOf(10); end !== -1; end = block.lastIndexOf(10)) {
      parts.unshift(block.subarray(end + 1));
      const line = Buffer.concat(parts);
      // What follows the last line feed is empty, or torn.
      if (line.length > 0 && !isTorn) yield { offset: at + end + 1, text: line.toString("utf8") };
      isTorn = false;
      parts = [];
      block = block.subarray(0, end);
    }
    parts.unshift(block);
  }
  const first = Buffer.concat(parts);
  if (first.length > 0 && !isTorn) yield { offset: 0, text: first.toString("utf8") };
}
