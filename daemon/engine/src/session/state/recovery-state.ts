import type { ActiveFile } from "../../store/active-file.ts";
import type { CurrentLife } from "./agent-life.ts";
import type { Journal } from "./journal.ts";
import type { SessionSettings } from "./session-settings.ts";

export interface RecoveryStateParts {
  active: Pick<ActiveFile, "mark" | "clear">;
  settings: Pick<SessionSettings, "checkpoint" | "file">;
  journal: Pick<Journal, "state" | "syncAll">;
  current: Pick<CurrentLife, "isAlive" | "isOpening">;
  /** The sequence of the checkpoint on disk. */
  checkpointed: number;
}

/** Events after the last checkpoint that make a new one worth writing. */
const checkpointEvery = 20_000;

/** Says on disk whether something of the session is unsettled, and stores its state so that a restore reads little. */
export class RecoveryState {
  readonly #parts: RecoveryStateParts;
  #checkpointed: number;

  constructor(parts: RecoveryStateParts) {
    this.#parts = parts;
    this.#checkpointed = parts.checkpointed;
  }

  /** Something is going to be unsettled: recovery must look at this session. */
  unsettle(): Promise<void> {
    return this.#parts.active.mark();
  }

  /** When neither a life nor a message is unsettled, the state is stored and recovery need not look here. */
  async settle(): Promise<void> {
    if (this.#isUnsettled) return;
    await this.#checkpoint();
    if (!this.#isUnsettled) await this.#parts.active.clear();
  }

  /** A restore reads what came after the checkpoint: it must not become much. */
  async checkpointIfFar(): Promise<void> {
    const { journal } = this.#parts;
    if (journal.state.sequence - this.#checkpointed <= checkpointEvery) return;
    // A checkpoint that is ahead of its log would be damage after a power loss.
    await journal.syncAll();
    await this.#checkpoint();
  }

  /** The session is removed, and with it everything that was unsettled. */
  forget(): Promise<void> {
    return this.#parts.active.clear();
  }

  get #isUnsettled(): boolean {
    const { current, journal, settings } = this.#parts;
    const isMoving = settings.file.pendingRewind !== undefined;
    return isMoving || current.isAlive || current.isOpening || journal.state.queue.size > 0;
  }

  async #checkpoint(): Promise<void> {
    const { settings, journal } = this.#parts;
    const { sequence } = journal.state;
    if (sequence === this.#checkpointed) return;
    await settings.checkpoint(journal.state);
    this.#checkpointed = sequence;
  }
}
