import type { LineBlock } from "../lines/line-block.ts";

export interface Damage {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** The file in the session's folder that has the bytes; absent where there are none. */
  readonly keptAs?: string;
}

/**
 * What stands in the stream for events that cannot be read any more: one event with the last of their numbers, the same
 * for every reader at all times, because nothing but the file says it.
 */
export function damagedLine(sessionId: string, { from, to, bytes, keptAs }: Damage, time: string): LineBlock {
  const envelope = { sequence: to, time, sessionId, source: "daemon", type: "log.damaged" };
  const line = Buffer.from(`${JSON.stringify({ ...envelope, data: { from, to, bytes, keptAs } })}\n`);
  return { bytes: line, start: 0, first: to, ends: [line.length] };
}
