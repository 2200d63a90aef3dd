import { Cancelled } from "../failures.ts";
import type { Chunk, Clock } from "../ports.ts";

/** No chunk came for too long. */
export class Stalled extends Error {}

export interface Watch {
  readonly clock: Clock;
  readonly stallMs: number;
  readonly signal: AbortSignal;
}

/**
 * The chunks of a stream, ended at the abort (`Cancelled`) and when it falls silent (`Stalled`) even if the stream
 * itself never notices. A reader that takes its time is no silence. The stream's own signal is aborted however this ends.
 */
export async function* watchStream(
  open: (signal: AbortSignal) => AsyncIterable<Chunk>,
  { clock, stallMs, signal }: Watch,
): AsyncGenerator<Chunk, void, void> {
  if (signal.aborted) throw new Cancelled();
  const inner = new AbortController();
  let fail: (reason: Error) => void = () => undefined;
  let failed: Error | undefined;
  const stop = (reason: Error) => {
    failed ??= reason;
    inner.abort(reason);
    fail(failed);
  };
  const onAbort = () => stop(new Cancelled());
  signal.addEventListener("abort", onAbort, { once: true });

  let isAsked = false;
  let lastSignOfLife = clock.now();
  const guard = async () => {
    for (let left = stallMs; left > 0; left = lastSignOfLife + stallMs - clock.now()) {
      await clock.sleep(left, inner.signal);
      if (!isAsked) lastSignOfLife = clock.now();
    }
    stop(new Stalled(`The model was silent for ${Math.round(stallMs / 1000)} s`));
  };
  guard().catch(() => undefined); // its sleep ends with the stream, that is all there is to know

  let iterator: AsyncIterator<Chunk> | undefined;
  try {
    const stream = open(inner.signal)[Symbol.asyncIterator]();
    iterator = stream;
    for (;;) {
      isAsked = true;
      const next = await new Promise<IteratorResult<Chunk>>((resolve, reject) => {
        fail = reject;
        if (failed !== undefined) reject(failed);
        stream.next().then(resolve, reject);
      });
      if (failed !== undefined) throw failed;
      if (next.done) return;
      lastSignOfLife = next.value.type === "retrying" ? Math.max(next.value.untilMs, clock.now()) : clock.now();
      isAsked = false;
      yield next.value;
    }
  } catch (error) {
    throw failed ?? error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    inner.abort();
    // A stream that hangs in its own end is left behind; its signal is aborted.
    iterator?.return?.().catch(() => undefined);
  }
}
