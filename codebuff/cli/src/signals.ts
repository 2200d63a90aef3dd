import { exitCodes } from "./exit-codes.ts";
import type { Io } from "./io.ts";

/** What SIGINT and SIGTERM do to the command; a second one that nobody took ends it at once. */
export function listenToSignals(): Pick<Io, "interrupted" | "takeInterrupts"> {
  const interrupted = new AbortController();
  const takers: (() => void)[] = [];
  const stop = (signal: "SIGINT" | "SIGTERM") => {
    if (interrupted.signal.aborted) process.exit(signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
    interrupted.abort(signal);
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => {
    const taker = takers.at(-1);
    if (taker === undefined) stop("SIGINT");
    else taker();
  });
  return {
    interrupted: interrupted.signal,
    takeInterrupts(onInterrupt) {
      takers.push(onInterrupt);
      return () => {
        const at = takers.lastIndexOf(onInterrupt);
        if (at >= 0) takers.splice(at, 1);
      };
    },
  };
}
