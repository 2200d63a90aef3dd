import { removeDurably, writeDurably } from "./durable-file.ts";

/**
 * Says on disk that a session has a life or unsettled messages. Recovery looks at nothing else, so it is written before
 * an agent starts and before a message is acknowledged, and removed only when both are settled.
 */
export class ActiveFile {
  readonly #path: string;
  readonly #content: string;
  #wanted = false;
  #work: Promise<void> = Promise.resolve();

  constructor(path: string, sessionId: string, existsAlready: boolean) {
    this.#path = path;
    this.#content = JSON.stringify({ sessionId });
    this.#wanted = existsAlready;
  }

  async mark(): Promise<void> {
    if (!this.#wanted) {
      this.#wanted = true;
      this.#work = this.#after(() => writeDurably(this.#path, this.#content));
    }
    try {
      await this.#work;
    } catch (error) {
      this.#wanted = false;
      throw error;
    }
  }

  async clear(): Promise<void> {
    if (this.#wanted) {
      this.#wanted = false;
      this.#work = this.#after(() => removeDurably(this.#path));
    }
    await this.#work;
  }

  /** In order, whatever became of the step before. */
  #after(step: () => Promise<void>): Promise<void> {
    return this.#work.then(step, step);
  }
}
