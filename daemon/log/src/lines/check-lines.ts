const newline = 10;
const closeBrace = 125;
const comma = 44;
const zero = 48;

/** The number of the line that begins at `start` with this key; undefined where no such line begins. */
export function sequenceOf(bytes: Buffer, start: number, key: string): number | undefined {
  const digits = start + key.length;
  // Its first and its last byte tell: a line that is not ours has no digits and a comma at this place either.
  if (bytes[start] !== key.charCodeAt(0) || bytes[digits - 1] !== key.charCodeAt(key.length - 1)) return undefined;
  let sequence = 0;
  for (let at = digits; ; at++) {
    const byte = bytes[at];
    if (byte === comma) return sequence > 0 ? sequence : undefined;
    if (byte === undefined || byte < zero || byte > zero + 9) return undefined;
    sequence = sequence * 10 + byte - zero;
  }
}

/**
 * The ends (newline included) of the whole lines from `start` on that have the numbers `expected`, `expected + 1`, …
 * Stops before the first that has not, and at a NUL: after a power loss, blocks that were never written are zeros.
 */
export function walkLines(bytes: Buffer, start: number, expected: number, key: string): number[] {
  const ends: number[] = [];
  const nul = bytes.indexOf(0, start);
  const limit = nul < 0 ? bytes.length : nul;
  let at = start;
  while (at < limit) {
    const end = bytes.indexOf(newline, at);
    if (end < 0 || end >= limit) break;
    if (bytes[end - 1] !== closeBrace || sequenceOf(bytes, at, key) !== expected + ends.length) break;
    at = end + 1;
    ends.push(at);
  }
  return ends;
}
