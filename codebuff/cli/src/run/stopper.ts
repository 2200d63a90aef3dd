import type { PrintModeEvent } from "@muster/codebuff-protocol";

/** Why a run was aborted, when it was. */
export type Stop = "SIGINT" | "SIGTERM" | "timeout" | "cancel" | "nobody_reads";

/** The one way a run is aborted from here; the first reason stays. */
export class Stopper {
  readonly #controller = new AbortController();
  readonly #cleanup: (() => void)[] = [];
  #reason: Stop | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): Stop | undefined {
    return this.#reason;
  }

  stop(reason: Stop): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller.abort(reason);
  }

  /** Stops when that signal is aborted, now or later. */
  follow(signal: AbortSignal, reasonOf: (reason: unknown) => Stop): void {
    const stop = () => this.stop(reasonOf(signal.reason));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#cleanup.push(() => signal.removeEventListener("abort", stop));
  }

  stopAfter(ms: number | undefined): void {
    if (ms === undefined) return;
    const timer = setTimeout(() => this.stop("timeout"), ms);
    this.#cleanup.push(() => clearTimeout(timer));
  }

  close(): void {
    for (const clean of this.#cleanup) clean();
  }
}

/** A run that ran out of time was aborted like any other; its last two lines say why. */
export function tellTimeout(event: PrintModeEvent, stop: Stop | undefined): PrintModeEvent[] {
  if (event.type !== "finish" || stop !== "timeout" || event.status === "completed") return [event];
  const error: PrintModeEvent = {
    type: "error",
    code: "timeout",
    message: "The run took longer than --timeout allows",
    fatal: true,
  };
  return [error, { ...event, status: "timeout" }];
}
