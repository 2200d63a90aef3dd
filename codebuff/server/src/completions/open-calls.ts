import type { Database } from "../database/tables.ts";
import { checkpointOutput, leaseMs, renewLeases } from "../money/calls/leases.ts";

export interface OpenCall {
  readonly requestId: string;
  /** Units that have come back so far, for the checkpoint. */
  outputUnits(): number;
  /** The server ends: stop now and settle what is known. */
  abandon(): void;
}

/** The calls of this process that are under way. Their leases are renewed together. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();
  readonly #checkpoints = new Map<string, number>();
  readonly #waitingForNone: (() => void)[] = [];
  #requests = 0;
  #isOver = false;

  get size(): number {
    return this.#calls.size;
  }

  /** The server ends and has waited for its calls. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** A request that may hold credits and become a call. The returned function says that it is over. */
  begin(): () => void {
    this.#requests++;
    return () => {
      this.#requests--;
      this.#tellWhenNone();
    };
  }

  add(call: OpenCall): void {
    this.#calls.set(call.requestId, call);
    if (this.#isOver) call.abandon();
  }

  remove(requestId: string): void {
    this.#calls.delete(requestId);
    this.#checkpoints.delete(requestId);
    this.#tellWhenNone();
  }

  /** Those that are open now, and whatever still becomes one. */
  abandonAll(): void {
    this.#isOver = true;
    for (const call of this.#calls.values()) call.abandon();
  }

  /** Resolves when no call is open and no request on its way to become one. */
  async none(): Promise<void> {
    if (!this.#isNone) await new Promise<void>((resolve) => this.#waitingForNone.push(resolve));
  }

  get #isNone(): boolean {
    return this.#calls.size === 0 && this.#requests === 0;
  }

  #tellWhenNone(): void {
    if (this.#isNone) for (const resolve of this.#waitingForNone.splice(0)) resolve();
  }

  async renew(database: Database, now: number): Promise<void> {
    await renewLeases(database, [...this.#calls.keys()], now + leaseMs);
  }

  async checkpoint(database: Database): Promise<void> {
    const changed = [...this.#calls.values()].flatMap((call) => {
      const units = call.outputUnits();
      if (this.#checkpoints.get(call.requestId) === units) return [];
      this.#checkpoints.set(call.requestId, units);
      return [{ requestId: call.requestId, units }];
    });
    await checkpointOutput(database, changed);
  }
}
