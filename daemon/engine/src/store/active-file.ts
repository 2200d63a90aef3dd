import { removeDurably, SerialQueue } from "@muster/node";
import { writeDurably } from "./durable-file.ts";

/**
 * Says on disk that a session has a life or unsettled messages. Recovery looks at nothing else, so it is written before
 * an agent starts and before a message is acknowledged, and removed only when both are settled.
 */
export class ActiveFile {
  readonly #path: string;
  readonly #content: string;
  #wanted = false;
  readonly #steps = new SerialQueue();
  #newest: Promise<void> = Promise.resolve();

  constructor(path: string, sessionId: string, existsAlready: boolean) {
    this.#path = path;
    this.#content = JSON.stringify({ sessionId });
    this.#wanted = existsAlready;
  }

  async mark(): Promise<void> {
    if (!this.#wanted) {
      this.#wanted = true;
      this.#newest = this.#steps.run(() => writeDurably(this.#path, this.#content));
    }
    try {
      await this.#newest;
    } catch (error) {
      this.#wanted = false;
      throw error;
    }
  }

  async clear(): Promise<void> {
    if (this.#wanted) {
      this.#wanted = false;
      this.#newest = this.#steps.run(() => removeDurably(this.#path));
    }
    await this.#newest;
  }
}
