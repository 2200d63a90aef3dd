export const aborted = Symbol("aborted");

/** The promise's value, or `aborted` as soon as the signal says so; the promise itself goes on. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | typeof aborted> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(aborted);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
