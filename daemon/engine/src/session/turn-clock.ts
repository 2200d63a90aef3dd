import type { Cause } from "@muster/schema";

export interface ClockLimits {
  turnIdleMs: number;
  toolIdleMs: number;
  turnMs?: number | undefined;
}

/**
 * Tells when a turn has been silent or has lasted too long. It stops while a person is asked and waits for an announced
 * retry. Signs of life only write a number; the one timer looks at it when it fires.
 */
export class TurnClock {
  readonly #limits: ClockLimits;
  readonly #toolIsOpen: () => boolean;
  readonly #expire: (cause: Cause) => void;
  readonly #startedMs = Date.now();
  #pausedSinceMs: number | undefined;
  #pausedMs = 0;
  #signMs = Date.now();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(limits: ClockLimits, toolIsOpen: () => boolean, expire: (cause: Cause) => void) {
    this.#limits = limits;
    this.#toolIsOpen = toolIsOpen;
    this.#expire = expire;
    this.#look();
  }

  /** The agent said something. */
  touch(): void {
    const now = Date.now();
    if (now > this.#signMs) this.#signMs = now;
  }

  /** Silence until then is announced. */
  waitUntil(untilMs: number): void {
    if (untilMs > this.#signMs) this.#signMs = untilMs;
  }

  /** A person is asked. */
  pause(): void {
    this.#pausedSinceMs ??= Date.now();
    clearTimeout(this.#timer);
  }

  resume(): void {
    if (this.#pausedSinceMs === undefined) return;
    this.#pausedMs += Date.now() - this.#pausedSinceMs;
    this.#pausedSinceMs = undefined;
    this.touch();
    this.#look();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#isStopped = true;
  }

  #look(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const { at, cause } = this.#deadline();
    const left = at - Date.now();
    if (left <= 0) return this.#expire(cause);
    // A tool that closes makes the deadline nearer, so it looks at least every turnIdleMs.
    this.#timer = setTimeout(() => this.#look(), Math.min(left, this.#limits.turnIdleMs));
    this.#timer.unref();
  }

  #deadline(): { at: number; cause: Cause } {
    const idle: { at: number; cause: Cause } = this.#toolIsOpen()
      ? { at: this.#signMs + this.#limits.toolIdleMs, cause: "tool_timeout" }
      : { at: this.#signMs + this.#limits.turnIdleMs, cause: "agent_timeout" };
    if (this.#limits.turnMs === undefined) return idle;
    const whole = this.#startedMs + this.#pausedMs + this.#limits.turnMs;
    return whole < idle.at ? { at: whole, cause: "turn_timeout" } : idle;
  }
}
