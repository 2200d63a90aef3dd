import { setTimeout as wait } from "node:timers/promises";
import { isBusy } from "./busy.ts";

export interface Patience {
  /** The wait for another process ends here, and the failure is told. */
  readonly patienceMs?: number | undefined;
  /** Between two attempts. */
  readonly pause?: () => Promise<void>;
}

/**
 * Tries again while another process has the file to itself. The wait is ours: SQLite's own would stop this process with
 * everything in it.
 */
export async function untilFree<Result>(
  attempt: () => Result,
  { patienceMs = 10_000, pause = waitABit }: Patience = {},
): Promise<Result> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await pause();
  }
}

/** Never the same for two that wait for each other. */
export async function waitABit(): Promise<void> {
  await wait(5 + Math.random() * 20);
}
