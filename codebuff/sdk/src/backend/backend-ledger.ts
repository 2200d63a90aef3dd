import { setTimeout } from "node:timers/promises";
import { creditsOf, type Ledger } from "@muster/codebuff-runtime";
import type { Backend } from "./backend.ts";

/** START is waited for; steps and FINISH are sent behind the run, in order per run, and drained at its end. */
export class BackendLedger implements Ledger {
  readonly #backend: Backend;
  readonly #warn: (message: string) => void;
  readonly #queues = new Map<string, Promise<void>>();

  constructor(backend: Backend, warn: (message: string) => void) {
    this.#backend = backend;
    this.#warn = warn;
  }

  async start(run: Parameters<Ledger["start"]>[0], signal: AbortSignal): Promise<{ runId: string }> {
    return { runId: await this.#backend.startRun(run, signal) };
  }

  step(runId: string, { cost, ...step }: Parameters<Ledger["step"]>[1]): void {
    const startTime = new Date(step.startTime).toISOString();
    this.#send(runId, () => this.#backend.recordStep(runId, { ...step, startTime, credits: creditsOf(cost) }));
  }

  finish(runId: string, { direct, total, ...end }: Parameters<Ledger["finish"]>[1]): void {
    const credits = { directCredits: creditsOf(direct), totalCredits: creditsOf(total) };
    this.#send(runId, () => this.#backend.finishRun({ runId, ...end, ...credits }));
  }

  /** Waits for what is still on its way, at most so long. */
  async drain(limitMs: number): Promise<void> {
    const enough = new AbortController();
    const sent = Promise.all(this.#queues.values()).finally(() => enough.abort());
    await Promise.race([
      sent,
      setTimeout(limitMs, undefined, { signal: enough.signal, ref: false }).catch(() => undefined),
    ]);
  }

  #send(runId: string, send: () => Promise<void>): void {
    const before = this.#queues.get(runId) ?? Promise.resolve();
    const after = before
      .then(send)
      .catch((error: unknown) => this.#warn(`The server did not take a record of run ${runId}: ${String(error)}`));
    this.#queues.set(runId, after);
    void after.then(() => {
      if (this.#queues.get(runId) === after) this.#queues.delete(runId);
    });
  }
}
