import { Cancelled } from "./failures.ts";

/** The work's result, or `Cancelled` at the abort, whatever the work does. A result that comes later is dropped. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      signal.removeEventListener("abort", onAbort);
      reject(new Cancelled());
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Cancelled();
}
