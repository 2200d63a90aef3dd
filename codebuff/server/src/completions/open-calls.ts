import type { Database } from "../database/tables.ts";
import { checkpointOutput, leaseMs, renewLeases } from "../money/calls/leases.ts";

export interface OpenCall {
  readonly requestId: string;
  readonly ownerId: string;
  /** Units that have come back so far, for the checkpoint. */
  outputUnits(): number;
  /** The server ends, or its owner may not go on: stop now and settle what is known. */
  stop(why: "shut down" | "shut out"): void;
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
    if (this.#isOver) call.stop("shut down");
  }

  remove(requestId: string): void {
    this.#calls.delete(requestId);
    this.#checkpoints.delete(requestId);
    this.#tellWhenNone();
  }

  /** Those that are open now, and whatever still becomes one. */
  abandonAll(): void {
    this.#isOver = true;
    for (const call of this.#calls.values()) call.stop("shut down");
  }

  get owners(): ReadonlySet<string> {
    return new Set([...this.#calls.values()].map(({ ownerId }) => ownerId));
  }

  /** Ends all calls of somebody. */
  shutOut(ownerId: string): void {
    for (const call of this.#calls.values()) if (call.ownerId === ownerId) call.stop("shut out");
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
