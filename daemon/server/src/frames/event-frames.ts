import type { Frames, Framing, LineBlock } from "@muster/log";

const id = Buffer.from("id: ");
const data = Buffer.from("\ndata: ");
const newline = 10;
/** Where the number of an event stands in its line. */
const numberStart = '{"sequence":'.length;

/**
 * How the log frames its events: as server-sent events `id: <sequence>\ndata: <line>\n\n`, by moving bytes. Nothing is
 * parsed, and what is framed once is sent to every client.
 */
export const eventFraming: Framing = { extraBytes, frame };

/** The events in frames of a log. Their places are known, so nothing is searched for. */
export function* eventsIn({ first, ends, bytes }: Frames): Generator<{ sequence: number; json: string }> {
  let start = 0;
  for (let index = 0; index < ends.length; index++) {
    const end = ends[index] ?? 0;
    const sequence = first + index;
    const json = start + id.length + String(sequence).length + data.length;
    // A line that is left out has an empty frame.
    if (end > start) yield { sequence, json: bytes.toString("utf8", json, end - 2) };
    start = end;
  }
}

function extraBytes({ first, ends }: LineBlock): number {
  const last = first + ends.length - 1;
  let digits = 0;
  // Every power of ten up to a number gives it one more digit.
  for (let power = 1; power <= last; power *= 10) digits += last + 1 - Math.max(first, power);
  return digits + ends.length * (id.length + data.length + 1);
}

function frame({ bytes, start, first, ends }: LineBlock, at: number): number[] {
  const frameEnds: number[] = [];
  let [used, from, digits] = [at, start, String(first).length];
  for (let index = 0; index < ends.length; index++) {
    const end = ends[index] ?? 0;
    if (first + index >= 10 ** digits) digits++;
    const number = from + numberStart;
    for (let byte = 0; byte < id.length; byte++) bytes[used++] = id[byte] ?? 0;
    for (let byte = number; byte < number + digits; byte++) bytes[used++] = bytes[byte] ?? 0;
    for (let byte = 0; byte < data.length; byte++) bytes[used++] = data[byte] ?? 0;
    bytes.copyWithin(used, from, end);
    used += end - from;
    bytes[used++] = newline;
    frameEnds.push(used);
    from = end;
  }
  return frameEnds;
}
