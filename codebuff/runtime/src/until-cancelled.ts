import { untilAborted } from "@muster/core";
import { Cancelled } from "./failures.ts";

/** As `untilAborted` of the floor; what the loop catches is `Cancelled`, whatever the reason of the signal. */
export async function untilCancelled<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const cancelled = new Cancelled();
  return untilAborted(work, signal).catch((error: unknown) => {
    throw signal.aborted && error === signal.reason ? cancelled : error;
  });
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Cancelled();
}
