import type { ModelRequest } from "../request/model-request.ts";
import type { Reply } from "./reply.ts";

/** One server-sent event as it goes out, and how long it waits before. */
export interface Frame {
  readonly text: string;
  readonly delayMs: number;
}

export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly code?: string | undefined;
  readonly requestId: string;
}

/** How one protocol says a reply. Pure: the same reply gives the same bytes. */
export interface Wire {
  stream(reply: Reply, request: ModelRequest): Frame[];
  whole(reply: Reply, request: ModelRequest): unknown;
  problem(problem: Problem): unknown;
  readonly requestIdHeader: string;
}

/** Replies carry this time, so that a script always gives the same bytes. */
export const scriptedTime = 1_750_000_000;

export const argumentChunk = 40;

export function namedEvent(event: { type: string }, delayMs = 0): Frame {
  return { text: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, delayMs };
}
