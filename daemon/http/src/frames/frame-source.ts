import { formatFrames, type WrittenFrame } from "@muster/core";

/** A place to take complete SSE frames from: a reader of a log, or something that dresses one up. */
export interface FrameSource {
  /** Waits until there are some; null: there will be no more. */
  next(): Promise<FrameChunk | null>;
  close(): void;
}

/** Whole frames as they are sent. */
export interface FrameChunk {
  readonly bytes: Buffer;
}

export function chunkOf(frames: readonly WrittenFrame[]): FrameChunk {
  return { bytes: Buffer.from(formatFrames(frames)) };
}
