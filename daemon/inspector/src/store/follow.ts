import { isTransient } from "./failures.ts";

export interface Following {
  signal: AbortSignal;
  /** Reads until the connection breaks. */
  read(signal: AbortSignal): Promise<void>;
  onState(state: "live" | "reconnecting"): void;
}

const firstWaitMs = 250;
const longestWaitMs = 3_000;
const hiddenMs = 5_000;

/**
 * Reads again and again until aborted. A page nobody looks at lets go of its connection: a browser opens six to one
 * daemon, all tabs together. Rejects with what asking again does not cure.
 */
export async function follow({ signal, read, onState }: Following): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    await untilVisible(signal);
    const startedAt = Date.now();
    const hidden = whenHidden();
    try {
      await read(AbortSignal.any([signal, hidden.signal]));
    } catch (error) {
      if (signal.aborted) return;
      if (!hidden.signal.aborted && !isTransient(error)) throw error;
    } finally {
      hidden.stop();
    }
    if (hidden.signal.aborted || signal.aborted) continue;
    onState("reconnecting");
    failures = Date.now() - startedAt > 2 * longestWaitMs ? 1 : failures + 1;
    await wait(Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1)), signal);
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

/** The browser draws and hears the person before the next line runs. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look, { once: true });
  });
}

/** A signal that is aborted when the page has been hidden for a while. */
function whenHidden(): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => controller.abort(), hiddenMs);
  };
  document.addEventListener("visibilitychange", look);
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    },
  };
}
