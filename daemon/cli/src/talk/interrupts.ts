/** Ctrl-C: the first ends what is going on, the second leaves. A request to stop from elsewhere leaves at once. */
export class Interrupts {
  readonly #leave = new AbortController();
  #isPressed = false;
  #first: () => void = () => this.#leave.abort();
  readonly press = (): void => {
    if (this.#isPressed) this.#leave.abort();
    else {
      this.#isPressed = true;
      this.#first();
    }
  };
  readonly #stop = (): void => this.#leave.abort();

  constructor() {
    process.on("SIGINT", this.press);
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, this.#stop);
  }

  /** Aborted when the person wants to leave. */
  get leaving(): AbortSignal {
    return this.#leave.signal;
  }

  /** From now on the first Ctrl-C does this. */
  onFirst(action: () => void): void {
    this.#isPressed = false;
    this.#first = action;
  }

  close(): void {
    process.off("SIGINT", this.press);
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.off(signal, this.#stop);
  }
}
