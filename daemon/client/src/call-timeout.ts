import { ConnectionFailure } from "./connection/connection-failure.ts";
import type { OperationId } from "./operation-types.ts";

/** A call took longer than its `timeoutMs`. Whether the daemon did what it was asked is not known. */
export class CallTimeout extends ConnectionFailure {
  override readonly name = "CallTimeout";
}

const usualMs = 60_000;
/** Calls that may have to download and install an agent first, or that bring or touch many bytes. */
const slowMs: Partial<Record<OperationId, number>> = {
  "agents.install": 1_800_000,
  // As long as their bytes come: half a day.
  "files.write": 43_200_000,
  "files.upload": 43_200_000,
  "files.copy": 1_800_000,
  "files.delete": 1_800_000,
  "files.search": 300_000,
  "agents.listModels": 300_000,
  "agents.listModes": 300_000,
  "sessions.create": 300_000,
};

export interface CallTimer {
  readonly signal: AbortSignal;
  clear(): void;
}

/** A signal that aborts when the call has taken too long; whoever called clears it at the end. */
export function callTimeout(id: OperationId, timeoutMs: number | undefined, endpoint: string): CallTimer {
  const controller = new AbortController();
  const ms = Math.min(timeoutMs ?? slowMs[id] ?? usualMs, longestMs);
  const late = () => controller.abort(new CallTimeout(endpoint, `no answer within ${ms} ms`));
  const timer = setTimeout(late, ms);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

/** Timers of JavaScript count no further; a longer one would fire at once. */
const longestMs = 2 ** 31 - 1;
