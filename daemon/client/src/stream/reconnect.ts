import { Failure } from "@muster/schema/wire";
import { NotTheDaemon, WrongCall } from "../connection/connection-failure.ts";

/** How what was cut off comes back: doubling waits, at most `attempts` in a row without progress. */
export interface Reconnect {
  /** How often in a row it is tried without progress; 10 by default. */
  attempts: number;
  /** The first wait, in milliseconds; 100 by default. */
  firstDelayMs: number;
  /** The longest wait, in milliseconds; 5000 by default. */
  maxDelayMs: number;
}

export const defaultReconnect: Reconnect = { attempts: 10, firstDelayMs: 100, maxDelayMs: 5_000 };

/** A daemon that has never answered is probably not there. */
export const firstAttempts = 2;

export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof Failure) return error.status === 503 || error.status === 429;
  return !(error instanceof NotTheDaemon) && !(error instanceof WrongCall);
}

/** Half of the wait is random, so that the clients of a restarted daemon do not come back in one moment. */
export function waitBefore({ firstDelayMs, maxDelayMs }: Reconnect, attempt: number, signal?: AbortSignal) {
  return pause(Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2), signal);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
