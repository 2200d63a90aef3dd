import type { Settlement } from "@muster/snapshots";

/** A call at work: an edit tool says which files it changes, any other may change whatever it likes. */
interface Work {
  readonly edits?: readonly string[];
}

/**
 * Whose change it was: the work tree is looked at before and after this session's own work, and what changed while none of
 * it ran was somebody else. A call that waits, for its turn or for the person's yes, does not run.
 */
export class ChangeWatch {
  readonly #settle: (settlement: Settlement) => Promise<void>;
  readonly #running = new Map<string, Work>();
  /** Ran at some time since the last look. */
  #ran = new Map<string, Work>();
  /** The looks that are not over. */
  #looking: Promise<void> | undefined;

  constructor(settle: (settlement: Settlement) => Promise<void>) {
    this.#settle = settle;
  }

  /** A call begins to run, once nobody looks; without `edits` it may change any file, as a command does. */
  async begin(toolCallId: string, edits?: readonly string[]): Promise<void> {
    // What it did during a look would be somebody else's.
    while (this.#looking !== undefined) await this.#looking;
    this.#running.set(toolCallId, { edits });
    this.#ran.set(toolCallId, { edits });
  }

  /** A call is over. What it changed is settled with the next look. */
  end(toolCallId: string): void {
    this.#running.delete(toolCallId);
  }

  /** A call waits for the person, who may change files meanwhile. It has changed nothing yet: a yes comes before the work. */
  async wait<Answer>(toolCallId: string, answer: () => Promise<Answer>): Promise<Answer> {
    const work = this.#running.get(toolCallId);
    this.#running.delete(toolCallId);
    this.#ran.delete(toolCallId);
    // What others did until now is ours; only from here on the person may have been it.
    if (this.#ran.size > 0) await this.look();
    try {
      return await answer();
    } finally {
      await this.look();
      if (work !== undefined) await this.begin(toolCallId, work.edits);
    }
  }

  /** `edited` are the files of edit tools; the rest was a command of ours if one ran, else the person. One after the other. */
  async look(settlement: Settlement = {}): Promise<void> {
    const looking = (this.#looking ?? Promise.resolve()).then(() => this.#lookNow(settlement));
    const settled = looking.catch(() => undefined);
    this.#looking = settled;
    await settled;
    if (this.#looking === settled) this.#looking = undefined;
    await looking;
  }

  async #lookNow({ edited = [], by }: Settlement): Promise<void> {
    const ran = [...this.#ran.values()];
    const author = by ?? (ran.some(({ edits }) => edits === undefined) ? "command" : "person");
    this.#ran = new Map(this.#running);
    await this.#settle({ by: author, edited: [...new Set([...edited, ...ran.flatMap(({ edits = [] }) => edits)])] });
  }
}
