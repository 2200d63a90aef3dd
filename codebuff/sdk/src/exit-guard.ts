/** Ends what its owner has started when this process ends before its owner. It listens only while there is something to end. */
export class ExitGuard {
  readonly #endings = new Set<() => void>();
  readonly #onExit = () => {
    for (const end of this.#endings) end();
  };

  /** `end` must not wait: at the exit of a process nothing does. Returns how it is forgotten. */
  add(end: () => void): () => void {
    if (this.#endings.size === 0) process.on("exit", this.#onExit);
    this.#endings.add(end);
    return () => {
      this.#endings.delete(end);
      if (this.#endings.size === 0) process.off("exit", this.#onExit);
    };
  }
}
