import type { ToolCall } from "@muster/codebuff-protocol";
import type { Clock } from "../ports.ts";

const intervalMs = 100;
const maxCharacters = 64 * 1024;
const marker = "\n[more output follows with the result]\n";

/** Lets at most ten pieces a second and 64 KiB of a call's progress through; pieces in between are joined. */
export class ProgressLimit {
  readonly #clock: Clock;
  readonly #emit: (call: ToolCall, output: string) => void;
  readonly #calls = new Map<string, { call: ToolCall; waiting: string; sent: number; lastAt: number; full: boolean }>();

  constructor(clock: Clock, emit: (call: ToolCall, output: string) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  add(call: ToolCall, output: string): void {
    const known = this.#calls.get(call.toolCallId);
    const state = known ?? { call, waiting: "", sent: 0, lastAt: Number.NEGATIVE_INFINITY, full: false };
    if (known === undefined) this.#calls.set(call.toolCallId, state);
    if (state.full || output === "") return;
    state.waiting += output;
    const isFull = state.sent + state.waiting.length > maxCharacters;
    if (!isFull && this.#clock.now() - state.lastAt < intervalMs) return;
    if (isFull) {
      state.waiting = state.waiting.slice(0, Math.max(0, maxCharacters - state.sent)) + marker;
      state.full = true;
    }
    this.#flush(state);
  }

  /** Sends what still waits and forgets the calls: nothing they say from now on is heard. */
  close(): void {
    for (const state of this.#calls.values()) {
      if (state.waiting !== "") this.#flush(state);
      state.full = true;
    }
  }

  #flush(state: { call: ToolCall; waiting: string; sent: number; lastAt: number }): void {
    this.#emit(state.call, state.waiting);
    state.sent += state.waiting.length;
    state.waiting = "";
    state.lastAt = this.#clock.now();
  }
}
