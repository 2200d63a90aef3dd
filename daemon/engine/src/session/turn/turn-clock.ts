import type { Cause } from "@muster/schema";

export interface ClockLimits {
  turnIdleMs: number;
  toolIdleMs: number;
  turnMs?: number;
}

/** A timer that is so late tells of a process that stood still: it was stopped, or its machine was. */
const standstillMs = 1_000;
/** An agent that announces more than this has a wrong clock, or nobody waits for it. */
const longestWaitMs = 24 * 3_600_000;

/**
 * Tells when the open turn has been silent or has lasted too long. It stops while a person is asked and waits for an
 * announced retry. Signs of life only write a number; the one timer looks at it when it fires. Time in which nobody
 * could listen does not count, and the clock on the wall, which may be set, is not looked at.
 */
export class TurnClock {
  readonly #openTools = new Set<string>();
  #limits: ClockLimits = { turnIdleMs: 0, toolIdleMs: 0 };
  #expire: ((cause: Cause | undefined) => void) | undefined;
  #startedMs = 0;
  #pausedSinceMs: number | undefined;
  #pausedMs = 0;
  #signMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Times a turn from now on. Resolves with why it must end, or with nothing when the clock was stopped before. */
  start(limits: ClockLimits): Promise<Cause | undefined> {
    this.stop();
    this.#limits = limits;
    this.#startedMs = performance.now();
    this.#signMs = this.#startedMs;
    this.#pausedMs = 0;
    this.#pausedSinceMs = undefined;
    return new Promise((resolve) => {
      this.#expire = resolve;
      this.#look();
    });
  }

  /** The agent said something. */
  touch(): void {
    const now = performance.now();
    if (now > this.#signMs) this.#signMs = now;
  }

  /** A tool may be silent for longer than an agent. */
  openTool(itemId: string): void {
    this.#openTools.add(itemId);
  }

  /** An item has ended, a tool or another. */
  closeItem(itemId: string): void {
    this.#openTools.delete(itemId);
  }

  /** Silence until this time of day is announced. */
  waitUntil(untilMs: number): void {
    const until = performance.now() + Math.min(untilMs - Date.now(), longestWaitMs);
    if (until > this.#signMs) this.#signMs = until;
  }

  /** A person is asked. */
  pause(): void {
    this.#pausedSinceMs ??= performance.now();
    clearTimeout(this.#timer);
  }

  resume(): void {
    if (this.#pausedSinceMs === undefined) return;
    this.#pausedMs += performance.now() - this.#pausedSinceMs;
    this.#pausedSinceMs = undefined;
    this.touch();
    this.#look();
  }

  stop(): void {
    this.#end(undefined);
  }

  #look(): void {
    clearTimeout(this.#timer);
    if (!this.#expire) return;
    const { at, cause } = this.#deadline();
    const now = performance.now();
    const left = at - now;
    if (left <= 0) return this.#end(cause);
    // A tool that closes makes the deadline nearer, so it looks at least every turnIdleMs.
    const wait = Math.min(left, this.#limits.turnIdleMs);
    this.#timer = setTimeout(() => this.#lookAfter(now + wait), wait);
    this.#timer.unref();
  }

  #lookAfter(dueMs: number): void {
    const lateMs = performance.now() - dueMs;
    if (lateMs > standstillMs) {
      this.#pausedMs += lateMs;
      // What the agent said meanwhile waits in its pipe and is read after this: it has its whole time again, for nobody
      // knows how much of it had gone by when the process stood still.
      this.touch();
    }
    this.#look();
  }

  #end(cause: Cause | undefined): void {
    clearTimeout(this.#timer);
    this.#expire?.(cause);
    this.#expire = undefined;
  }

  #deadline(): { at: number; cause: Cause } {
    const idle: { at: number; cause: Cause } =
      this.#openTools.size > 0
        ? { at: this.#signMs + this.#limits.toolIdleMs, cause: "tool_timeout" }
        : { at: this.#signMs + this.#limits.turnIdleMs, cause: "agent_timeout" };
    if (this.#limits.turnMs === undefined) return idle;
    const whole = this.#startedMs + this.#pausedMs + this.#limits.turnMs;
    return whole < idle.at ? { at: whole, cause: "turn_timeout" } : idle;
  }
}
