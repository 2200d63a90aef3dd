import { untilAborted } from "@muster/core";

export const aborted = Symbol("aborted");

/** The promise's value, or `aborted` as soon as the signal says so: an interrupt is a result here, no failure. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | typeof aborted> {
  return untilAborted(promise, signal).catch((error: unknown) => {
    if (signal?.aborted && error === signal.reason) return aborted;
    throw error;
  });
}
