import type { ItemStatus } from "@muster/schema";

export interface CallEnd {
  /** It was refused, aborted or interrupted, or its turn was. */
  isCancelled?: boolean | undefined;
  isError: boolean;
  exitCode?: number | undefined;
}

export interface CallOutcome {
  /** Of the call and of its result. */
  status: Exclude<ItemStatus, "in_progress">;
  isError: boolean;
}

/**
 * How a call ended, for every agent: what was refused, aborted or interrupted is cancelled; what says so itself, or is a
 * command that ended with another code than 0, failed.
 */
export function callOutcome({ isCancelled = false, isError, exitCode = 0 }: CallEnd): CallOutcome {
  if (isCancelled) return { status: "cancelled", isError: true };
  return isError || exitCode !== 0 ? { status: "failed", isError: true } : { status: "completed", isError: false };
}
