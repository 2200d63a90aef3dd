/** How long a tool may take after an abort to hand over what it has. */
const lastWordsMs = 120;

/** After an abort the work has a moment for its last words, then it is left behind. */
export function settleAfterAbort<Result>(work: Promise<Result>, signal: AbortSignal, instead: Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      timer = setTimeout(() => resolve(instead), lastWordsMs);
    };
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(settle);
  });
}
