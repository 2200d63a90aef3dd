import type { Settlement } from "@muster/snapshots";

/**
 * Whose change it was: the work tree is looked at before and after this session's own work, and what changed while none of
 * it ran was somebody else. A call that waits for the person's yes does not run.
 */
export class ChangeWatch {
  readonly #settle: (settlement: Settlement) => Promise<void>;
  readonly #running = new Set<string>();
  /** Ran at some time since the last look. */
  #ran = new Set<string>();

  constructor(settle: (settlement: Settlement) => Promise<void>) {
    this.#settle = settle;
  }

  /** Runs a call that may change any file, such as a command. */
  async run<Result>(toolCallId: string, work: () => Promise<Result>): Promise<Result> {
    this.#begin(toolCallId);
    try {
      return await work();
    } finally {
      this.#running.delete(toolCallId);
    }
  }

  /** A call waits for the person, who may change files meanwhile. */
  async wait<Answer>(toolCallId: string, answer: () => Promise<Answer>): Promise<Answer> {
    const isRunning = this.#running.delete(toolCallId);
    if (isRunning) this.#ran.delete(toolCallId);
    try {
      return await answer();
    } finally {
      await this.look();
      if (isRunning) this.#begin(toolCallId);
    }
  }

  /** `edited` are the files of edit tools; the rest was a command of ours if one ran, else the person. */
  async look({ edited = [], by }: Settlement = {}): Promise<void> {
    const author = by ?? (this.#ran.size > 0 ? "command" : "person");
    this.#ran = new Set(this.#running);
    await this.#settle({ by: author, edited });
  }

  #begin(toolCallId: string): void {
    this.#running.add(toolCallId);
    this.#ran.add(toolCallId);
  }
}
