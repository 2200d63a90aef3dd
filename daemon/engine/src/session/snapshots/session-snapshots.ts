import type { Item } from "@muster/schema";
import type { DirectoryHistory, Skipped } from "@muster/snapshots";
import type { OngoingWork } from "../life/ongoing-work.ts";
import type { Journal } from "../state/journal.ts";
import type { DirectoryHistories, NoHistory } from "./directory-histories.ts";
import { editedPaths } from "./edited-paths.ts";

export interface SessionSnapshotsParts {
  sessionId: string;
  directory: string;
  /** Undefined where the daemon takes no snapshots. */
  histories: DirectoryHistories | undefined;
  journal: Journal;
  work: Pick<OngoingWork, "background">;
}

/** How long a prompt waits for a look at its directory. */
const beginMs = 3_000;

/** Snapshots of a session's directory: one before each prompt, one at each turn's end. */
export class SessionSnapshots {
  readonly #parts: SessionSnapshotsParts;
  /** The turn's end that is being recorded. */
  #ending: Promise<void> = Promise.resolve();
  /** The turn whose begin is recorded. */
  #begun: string | undefined;
  #isTold = false;

  constructor(parts: SessionSnapshotsParts) {
    this.#parts = parts;
  }

  get isOn(): boolean {
    return this.#parts.histories !== undefined;
  }

  /** The history of the session's directory; why there is none, where there is none. */
  async history(): Promise<DirectoryHistory | NoHistory> {
    const { histories, directory } = this.#parts;
    return (await histories?.of(directory)) ?? { unavailable: "the daemon takes no snapshots" };
  }

  /** Reads the directory for the first time while the agent starts. */
  prepare(): void {
    if (!this.isOn || this.#begun !== undefined) return;
    this.#parts.work.background("read a directory", this.#prepare());
  }

  /** Before a prompt is given: what was changed since the last turn was not the agent. Never throws. */
  async beforeTurn(turnId: string): Promise<void> {
    const turn = numberOf(turnId);
    const history = await this.history();
    if ("unavailable" in history) return this.#tellUnavailable(turnId, history);
    const { sessionId } = this.#parts;
    const taken = await history.begin({ session: sessionId, turn }, { timeoutMs: beginMs });
    this.#begun = turnId;
    if (taken.kind === "skipped") this.#tell(turnId, "begin", taken);
  }

  /** A turn of the agent's own has begun: nobody could wait. */
  turnStarted(turnId: string): void {
    if (!this.isOn || this.#begun === turnId) return;
    this.#begun = turnId;
    this.#parts.work.background("record the begin of a turn", this.beforeTurn(turnId));
  }

  /** A finished tool call names the files it has written. */
  edited(item: Item): void {
    const { turn } = this.#parts.journal.state;
    if (!this.isOn || turn === null) return;
    const paths = editedPaths(item);
    if (paths.length === 0) return;
    const edit = { session: this.#parts.sessionId, turn: numberOf(turn.turnId), call: item.itemId, paths };
    this.#parts.work.background(
      "note the files of a tool",
      this.history().then((history) => ("unavailable" in history ? undefined : history.edited(edit))),
    );
  }

  /** Records the end of a turn; nobody waits for it. */
  turnEnded(turnId: string): void {
    if (!this.isOn) return;
    this.#ending = this.#ending.then(() => this.#end(turnId));
    this.#parts.work.background("record the end of a turn", this.#ending);
  }

  /** Resolves when no end of a turn is being recorded. */
  async settled(): Promise<void> {
    await this.#ending;
  }

  /** What is known of this session goes with it. */
  async forget(): Promise<void> {
    if (!this.isOn || this.#begun === undefined) return;
    const history = await this.history();
    if (!("unavailable" in history)) await history.forget(this.#parts.sessionId);
  }

  async #prepare(): Promise<void> {
    const history = await this.history();
    // Why it cannot be read is told by the first turn that needs it.
    if (!("unavailable" in history)) await history.prepare().catch(() => {});
  }

  async #end(turnId: string): Promise<void> {
    const history = await this.history();
    if ("unavailable" in history) return;
    const taken = await history.end({ session: this.#parts.sessionId, turn: numberOf(turnId) });
    if (taken.kind === "skipped") this.#tell(turnId, "end", taken);
  }

  /** Once: it is the same for every turn. */
  #tellUnavailable(turnId: string, { unavailable }: NoHistory): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#tell(turnId, "begin", { reason: "unavailable", detail: unavailable });
  }

  #tell(
    turnId: string,
    moment: "begin" | "end",
    { reason, detail }: { reason: Skipped["reason"] | "unavailable"; detail: string },
  ): void {
    const { journal } = this.#parts;
    if (journal.log.failed) return;
    journal.emit("daemon", { type: "snapshot.skipped", data: { turnId, moment, reason, detail } }, null);
    journal.flush();
  }
}

/** Turns are counted from 1 in their ids. */
function numberOf(turnId: string): number {
  return Number(turnId.slice(turnId.lastIndexOf("_") + 1));
}
