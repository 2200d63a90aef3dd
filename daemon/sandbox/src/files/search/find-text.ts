import { bytesOf } from "../read-file.ts";
import type { SearchedFile, TakeMatch } from "./search-files.ts";

const newline = 0x0a;
/** Of a line that does not end the beginning is forgotten: a text across the cut is not found. */
const longestLine = 1024 * 1024;
const shownCharacters = 500;

/** Finds a text in a file, line by line, with little of it in memory. */
export async function findText({ path, file }: SearchedFile, text: Buffer, take: TakeMatch): Promise<void> {
  const { size } = await file.stat();
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const piece of bytesOf(file, 0, size)) {
    const block = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = block.lastIndexOf(newline) + 1;
    if (end === 0 && block.length < longestLine) {
      rest = block;
      continue;
    }
    const whole = end === 0 ? block : block.subarray(0, end);
    const next = findIn(whole, line);
    if (next === undefined) return;
    line = next;
    rest = block.subarray(whole.length);
  }
  if (rest.length > 0) findIn(rest, line);

  /** The number of the line behind the block; undefined when there are enough matches. */
  function findIn(block: Buffer, first: number): number | undefined {
    let number = first;
    let counted = 0;
    for (let at = block.indexOf(text); at >= 0; ) {
      number += newlinesIn(block, counted, at);
      counted = at;
      const start = block.lastIndexOf(newline, at) + 1;
      const found = block.indexOf(newline, at);
      const end = found < 0 ? block.length : found;
      const shown = shownLine(block.subarray(start, end));
      if (!take({ path, line: number, column: at - start + 1, text: shown })) return undefined;
      at = end < block.length ? block.indexOf(text, end + 1) : -1;
    }
    return number + newlinesIn(block, counted, block.length);
  }
}

export function shownLine(line: Buffer): string {
  return line
    .subarray(0, 4 * shownCharacters)
    .toString("utf8")
    .replace(/\r$/, "")
    .slice(0, shownCharacters);
}

function newlinesIn(block: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (block[at] === newline) count++;
  return count;
}
