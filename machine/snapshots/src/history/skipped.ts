import { messageOf } from "@muster/core";
import { GitFailure } from "@muster/node";
import { TooMuch } from "../capture.ts";

/** Why there is no snapshot. */
export type SkipReason = "timeout" | "too_many_files" | "too_many_bytes" | "no_space" | "failed";

export interface Skipped {
  kind: "skipped";
  reason: SkipReason;
  detail: string;
}

/** A look that failed is no failure of the turn: what it would have seen falls to the next one. */
export function skippedFor(error: unknown): Skipped {
  const detail = messageOf(error);
  if (error instanceof TooMuch) {
    return { kind: "skipped", reason: error.what === "files" ? "too_many_files" : "too_many_bytes", detail };
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isFull = code === "ENOSPC" || (error instanceof GitFailure && /No space left|disk quota/i.test(detail));
  return { kind: "skipped", reason: isFull ? "no_space" : "failed", detail };
}
