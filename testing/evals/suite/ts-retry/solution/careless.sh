cat > src/retry.ts <<'TS'
export async function retry(work: any, options: any): Promise<any> {
  let last: unknown;
  for (let attempt = 1; attempt <= options.attempts; attempt++) {
    if (options.signal?.aborted) throw options.signal.reason;
    try {
      return await work(attempt);
    } catch (error) {
      last = error;
      if (options.isFinal?.(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, options.delayMs));
  }
  throw last;
}
TS
