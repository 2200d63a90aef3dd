import type { LogForm } from "../log-form.ts";
import { sequenceOf, walkLines } from "./check-lines.ts";
import { crc32 } from "./crc32.ts";
import type { LineBlock } from "./line-block.ts";

/** Ends a block of lines: `#<number of its last line> <crc32>` and a newline, always of this length. */
export const sealBytes = 26;
/** A block is closed at this size: so much is lost with one damaged byte. */
const blockBytes = 16 * 1024;
const digits = 15;
const mark = Buffer.from("\n#");
const newline = 10;
const openBrace = 123;
const hash = 35;

/** Lines of consecutive numbers → the bytes of a batch, a seal after every 16 KiB and at the end. */
export function sealLines(pieces: readonly LineBlock[]): Buffer {
  const size = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const sealed = Buffer.allocUnsafe(size + (Math.floor(size / blockBytes) + 1) * sealBytes);
  let [start, at, last] = [0, 0, 0];
  const seal = () => {
    at += sealed.write(sealText(sealed.subarray(start, at), last), at, sealBytes, "latin1");
    start = at;
  };
  for (const { bytes, first, ends } of pieces) {
    let from = 0;
    last = first - 1;
    for (const end of ends) {
      last++;
      if (at - start + end - from < blockBytes) continue;
      at += bytes.copy(sealed, at, from, end);
      from = end;
      seal();
    }
    at += bytes.copy(sealed, at, from);
  }
  if (at > start) seal();
  return sealed.subarray(0, at);
}

/** The seal of a block whose last line is `last`. */
export function sealOf(block: Buffer, last: number): Buffer {
  return Buffer.from(sealText(block, last), "latin1");
}

function sealText(block: Buffer, last: number): string {
  const head = `#${String(last).padStart(digits, "0")} `;
  return `${head}${crc32(head, crc32(block)).toString(16).padStart(8, "0")}\n`;
}

/** The number in a seal that is written as one; what it seals is not looked at. */
export function lastOfSeal(seal: Buffer): number | undefined {
  const text = seal.toString("latin1");
  return /^#\d{15} [0-9a-f]{8}\n$/.test(text) ? Number(text.slice(1, digits + 1)) : undefined;
}

/** What is known of bytes beside themselves. */
export interface Known {
  /** Nothing follows them. */
  readonly isEnd: boolean;
  readonly form: Pick<LogForm, "key" | "shortest">;
}

/** What lies at one place of a segment, up to `end` of the bytes. */
export type Piece =
  | { kind: "lines"; linesEnd: number; ends: number[]; end: number }
  | { kind: "damage"; to: number; end: number };

/**
 * The piece at `at`, which should begin with the line `expected`; undefined when its end is not in the bytes. Bytes that
 * are not what was written are never given out as lines: the next whole block behind them tells which numbers are lost.
 */
export function pieceAt(bytes: Buffer, at: number, expected: number, known: Known): Piece | undefined {
  return sealedAt(bytes, at, expected) ?? searchPiece(bytes, at, expected, known);
}

/** The block at `at` where all is well: its lines are counted once and checked by their seal alone. */
function sealedAt(bytes: Buffer, at: number, expected: number): Piece | undefined {
  const ends: number[] = [];
  let end = at;
  while (bytes[end] === openBrace) {
    const found = bytes.indexOf(newline, end);
    if (found < 0) return undefined;
    end = found + 1;
    ends.push(end);
  }
  if (ends.length === 0 || bytes[end] !== hash || end + sealBytes > bytes.length) return undefined;
  const seal = sealText(bytes.subarray(at, end), expected + ends.length - 1);
  if (bytes.toString("latin1", end, end + sealBytes) !== seal) return undefined;
  return { kind: "lines", linesEnd: end, ends, end: end + sealBytes };
}

function searchPiece(bytes: Buffer, at: number, expected: number, { isEnd, form }: Known): Piece | undefined {
  for (let from = at; ; ) {
    const found = nextSeal(bytes, from, isEnd);
    if (found === undefined) return undefined;
    const whole = from === at ? wholeBlock(bytes.subarray(at, found + sealBytes), at, expected, form.key) : undefined;
    if (whole) return whole;
    const piece = neighbour(bytes.subarray(0, found + sealBytes), at, expected, form.key);
    if (piece) return piece;
    const last = lastOfSeal(bytes.subarray(found, found + sealBytes));
    // A number of more lines than fit there is no number of ours.
    if (last !== undefined && last >= expected && last < expected + (found - at) / form.shortest) {
      return { kind: "damage", to: last, end: found + sealBytes };
    }
    from = found + 1;
  }
}

function nextSeal(bytes: Buffer, from: number, isEnd: boolean): number | undefined {
  const marked = bytes.indexOf(mark, from);
  if (marked >= 0 && marked + 1 + sealBytes <= bytes.length) return marked + 1;
  // The newline before the last seal, or its first byte, may be what is damaged.
  const last = bytes.length - sealBytes;
  return isEnd &&
    last > from &&
    marked < 0 &&
    bytes[bytes.length - 1] === newline &&
    looksLikeSeal(bytes.subarray(last))
    ? last
    : undefined;
}

function looksLikeSeal(seal: Buffer): boolean {
  return /^.\d{15} [0-9a-f]{8}\n$/s.test(seal.toString("latin1"));
}

/** The lines and their seal, which are all of the bytes, if nothing is wrong with them; they lie at `at`. */
function wholeBlock(sealed: Buffer, at: number, expected: number, key: string): Piece | undefined {
  const block = sealed.subarray(0, -sealBytes);
  const ends = walkLines(block, 0, expected, key);
  if (ends.length === 0 || ends.at(-1) !== block.length) return undefined;
  if (!isSealOf(sealed.subarray(-sealBytes), block, expected + ends.length - 1)) return undefined;
  return { kind: "lines", linesEnd: at + block.length, ends: ends.map((end) => end + at), end: at + sealed.length };
}

/** A whole block that ends with the bytes: what lies before it is a block with a damaged seal, or lost. */
function neighbour(bytes: Buffer, at: number, expected: number, key: string): Piece | undefined {
  const seal = bytes.length - sealBytes;
  for (
    let start = bytes.indexOf(newline, at) + 1;
    start > 0 && start < seal;
    start = bytes.indexOf(newline, start) + 1
  ) {
    const first = sequenceOf(bytes, start, key);
    if (first === undefined || first < expected || !wholeBlock(bytes.subarray(start), start, first, key)) continue;
    const before = start - sealBytes > at ? wholeBlock(bytes.subarray(at, start), at, expected, key) : undefined;
    return before ?? { kind: "damage", to: first - 1, end: start };
  }
  return undefined;
}

/** One wrong byte in the seal itself is no damage of the lines. */
function isSealOf(seal: Buffer, block: Buffer, last: number): boolean {
  const right = sealOf(block, last);
  if (seal.equals(right)) return true;
  let wrong = 0;
  for (let at = 0; at < sealBytes; at++) if (seal[at] !== right[at]) wrong++;
  return wrong <= 1;
}
