cat > src/retry.ts <<'TS'
export interface RetryOptions {
  attempts: number;
  delayMs: number;
  signal?: AbortSignal;
  isFinal?: (error: unknown) => boolean;
}

/** Calls `work` until it succeeds, at most so many times; the last error is thrown. */
export async function retry<Result>(work: (attempt: number) => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { attempts, delayMs, signal, isFinal } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= attempts || isFinal?.(error) === true) throw error;
    }
    await wait(delayMs, signal);
  }
}

function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, delayMs);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
TS
