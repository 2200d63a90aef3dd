import { z } from "zod";

const milliseconds = z.int().positive().max(600_000);

/** Everything that can go wrong between a model and its client. Every fault has an end. */
export const Fault = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({
      kind: z.literal("status"),
      status: z.int().min(400).max(599),
      retryAfter: z.number().nonnegative().optional(),
      message: z.string().optional(),
      /** The provider's error code (`insufficient_quota`, `context_length_exceeded`, …). */
      code: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.unknown().optional(),
    }),
    z.strictObject({ kind: z.literal("drop"), atByte: z.int().nonnegative() }),
    z.strictObject({ kind: z.literal("malformed"), atEvent: z.int().nonnegative().default(1) }),
    z.strictObject({
      kind: z.literal("stall"),
      atByte: z.int().nonnegative().default(0),
      forMs: milliseconds.default(60_000),
      afterwards: z.enum(["drop", "continue"]).default("drop"),
    }),
    z.strictObject({
      kind: z.literal("drip"),
      bytes: z.int().positive().default(1),
      everyMs: milliseconds.max(10_000).default(5),
    }),
    z.strictObject({ kind: z.literal("error_event"), message: z.string().optional(), code: z.string().optional() }),
    z.strictObject({ kind: z.literal("duplicate_tool_ids") }),
    z.strictObject({ kind: z.literal("invalid_arguments"), arguments: z.string().optional() }),
  ],
  {
    error:
      "expected a kind: status, drop, malformed, stall, drip, error_event, duplicate_tool_ids or invalid_arguments",
  },
);
export type Fault = z.infer<typeof Fault>;

/** One piece of a reply body and how long it waits before it is written. */
export interface Piece {
  readonly bytes: Buffer;
  readonly delayMs: number;
}

/** What goes over the wire: pieces, then a proper end or a cut connection. */
export interface Delivery {
  readonly pieces: readonly Piece[];
  readonly end: "finish" | "cut";
}

/** Bends a whole reply. Pure; faults that change the reply itself (tool ids, arguments, status) are made earlier. */
export function applyFault(pieces: readonly Piece[], fault: Fault | undefined): Delivery {
  switch (fault?.kind) {
    case "drop":
      return { pieces: splitAt(pieces, fault.atByte).before, end: "cut" };
    case "malformed":
      return { pieces: breakEvent(pieces, fault.atEvent), end: "finish" };
    case "stall": {
      const { before, after } = splitAt(pieces, fault.atByte);
      const pause: Piece = { bytes: Buffer.alloc(0), delayMs: fault.forMs };
      if (fault.afterwards === "drop") return { pieces: [...before, pause], end: "cut" };
      return { pieces: [...before, pause, ...after], end: "finish" };
    }
    case "drip":
      return { pieces: sendSlowly(pieces, fault.bytes, fault.everyMs), end: "finish" };
    case "status":
    case "error_event":
    case "duplicate_tool_ids":
    case "invalid_arguments":
    case undefined:
      return { pieces, end: "finish" };
  }
}

/** True when a client cannot have kept the reply: it will ask again with the same history. */
export function breaksReply(fault: Fault | undefined): boolean {
  return fault !== undefined && !["drip", "duplicate_tool_ids", "invalid_arguments"].includes(fault.kind);
}

function splitAt(pieces: readonly Piece[], byte: number): { before: Piece[]; after: Piece[] } {
  const before: Piece[] = [];
  const after: Piece[] = [];
  let left = byte;
  for (const piece of pieces) {
    if (left >= piece.bytes.length) before.push(piece);
    else if (left <= 0) after.push(piece);
    else {
      before.push({ bytes: piece.bytes.subarray(0, left), delayMs: piece.delayMs });
      after.push({ bytes: piece.bytes.subarray(left), delayMs: 0 });
    }
    left -= piece.bytes.length;
  }
  return { before, after };
}

/** Cuts one event's JSON in the middle and keeps its blank line, so a client parses it and fails there. */
function breakEvent(pieces: readonly Piece[], atEvent: number): Piece[] {
  const index = Math.min(atEvent, pieces.length - 1);
  const broken = pieces[index];
  if (broken === undefined) return [];
  const half = broken.bytes.subarray(0, Math.ceil(broken.bytes.length / 2));
  return [...pieces.slice(0, index), { bytes: Buffer.concat([half, Buffer.from("\n\n")]), delayMs: broken.delayMs }];
}

function sendSlowly(pieces: readonly Piece[], size: number, everyMs: number): Piece[] {
  const whole = Buffer.concat(pieces.map((piece) => piece.bytes));
  const drops: Piece[] = [];
  for (let at = 0; at < whole.length; at += size) {
    drops.push({ bytes: whole.subarray(at, at + size), delayMs: at === 0 ? 0 : everyMs });
  }
  return drops;
}
