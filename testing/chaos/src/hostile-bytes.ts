/** What readers of a wire stumble over: ends of lines, halves of characters, openings without an end. */
const always: readonly Buffer[] = [
  Buffer.from("\n"),
  Buffer.from("\r\n"),
  Buffer.from("\r"),
  Buffer.from("\n\n"),
  Buffer.from("\0"),
  Buffer.from("ü€😀"),
  Buffer.from("😀").subarray(0, 3),
  Buffer.from([0xff]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from("\u2028\u2029\ufeff"),
  Buffer.from("x".repeat(300)),
];

export interface HostileBytes {
  /** Words of the protocol, which random bytes would never hit. */
  words: readonly string[];
  /** At most so many pieces. */
  pieces?: number;
}

/** Makes inputs: words of the protocol among ends of lines, broken characters and random bytes. */
export function hostileBytes(next: () => number, { words, pieces = 24 }: HostileBytes): Buffer {
  const known = words.map((word) => Buffer.from(word));
  const count = Math.floor(next() * pieces);
  const parts: Buffer[] = [];
  for (let n = 0; n < count; n++) {
    const kind = next();
    if (kind < 0.5) parts.push(pick(known, next));
    else if (kind < 0.85) parts.push(pick(always, next));
    else parts.push(Buffer.from(Array.from({ length: Math.floor(next() * 8) }, () => Math.floor(next() * 256))));
  }
  return Buffer.concat(parts);
}

/** The same bytes as a network might bring them. */
export function cutAnywhere(bytes: Buffer, next: () => number): Buffer[] {
  const slices: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + Math.floor(next() ** 3 * 40);
    slices.push(bytes.subarray(at, end));
    at = end;
  }
  return slices;
}

function pick<T>(from: readonly T[], next: () => number): T {
  return from[Math.floor(next() * from.length)] as T;
}
