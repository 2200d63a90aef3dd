/**
 * The value, or the signal's reason as soon as it is aborted. A value that comes too late is handed to `onLate`, so that
 * what was opened is closed.
 */
export async function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  onLate: (value: T) => unknown = () => {},
): Promise<T> {
  if (signal === undefined) return work;
  const abort = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const give = () => reject(signal.reason);
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true, signal: abort.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } catch (error) {
    // Nobody waits for it any more; what becomes of it is the business of whoever it is handed to.
    if (signal.aborted) work.then(onLate).catch(() => {});
    throw error;
  } finally {
    abort.abort();
  }
}
