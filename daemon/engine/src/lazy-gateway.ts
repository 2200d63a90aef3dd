import type { ModelGateway } from "@muster/schema";
import type { RunningGateway } from "./gateway-door.ts";

/** The gateway, started when the first agent needs it. A start that fails is told to whoever needed it, and tried again for the next. */
export class LazyGateway {
  readonly #start: () => Promise<RunningGateway>;
  #running: RunningGateway | undefined;
  #starting: Promise<void> | undefined;
  #isClosed = false;

  constructor(start: () => Promise<RunningGateway>) {
    this.#start = start;
  }

  /** Undefined until it listens. */
  get running(): ModelGateway | undefined {
    return this.#running;
  }

  /** Resolves when the gateway listens. */
  async ready(): Promise<void> {
    if (this.#running || this.#isClosed) return;
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // Its failure was told to whoever waited for it.
    await this.#starting?.catch(() => undefined);
    await this.#running?.close();
  }

  async #begin(): Promise<void> {
    this.#running = await this.#start();
  }
}
