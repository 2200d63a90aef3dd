const newline = 10;
const openBrace = 123;
const closeBrace = 125;
const comma = 44;
const colon = 58;
const zero = 48;
const keyLength = '{"sequence":'.length;

/** The number of the event whose line begins at `start`; undefined where no event's line begins. */
export function sequenceOf(bytes: Buffer, start = 0): number | undefined {
  if (bytes[start] !== openBrace || bytes[start + keyLength - 1] !== colon) return undefined;
  let sequence = 0;
  for (let at = start + keyLength; ; at++) {
    const byte = bytes[at];
    if (byte === comma) return sequence > 0 ? sequence : undefined;
    if (byte === undefined || byte < zero || byte > zero + 9) return undefined;
    sequence = sequence * 10 + byte - zero;
  }
}

/**
 * The ends (newline included) of the whole lines from `start` on that are the events `expected`, `expected + 1`, …
 * Stops before the first that is not, and at a NUL: after a power loss, blocks that were never written are zeros.
 */
export function walkLines(bytes: Buffer, start: number, expected: number): number[] {
  const ends: number[] = [];
  const nul = bytes.indexOf(0, start);
  const limit = nul < 0 ? bytes.length : nul;
  let at = start;
  while (at < limit) {
    const end = bytes.indexOf(newline, at);
    if (end < 0 || end >= limit) break;
    if (bytes[end - 1] !== closeBrace || sequenceOf(bytes, at) !== expected + ends.length) break;
    at = end + 1;
    ends.push(at);
  }
  return ends;
}
