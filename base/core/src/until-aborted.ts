/**
 * The value of `work`, or the reason of `signal` as soon as it is aborted; `work` itself goes on. A value that comes too
 * late is handed to `onLate`, so that what was opened is closed.
 */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  onLate: (value: T) => unknown = () => {},
): Promise<T> {
  if (signal === undefined) return work;
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const give = () => reject(signal.reason);
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } catch (error) {
    // Nobody waits for a late value any more; a failure of `onLate` is the business of whoever gave it.
    if (signal.aborted) work.then(onLate).catch(() => {});
    throw error;
  } finally {
    over.abort();
  }
}
