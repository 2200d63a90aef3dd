import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@muster/core";
import type { DirectoryHistory } from "@muster/snapshots";
import type { EngineLog } from "../../engine-log.ts";

/** Where there is no history: the text says why. */
export interface NoHistory {
  unavailable: string;
}

/** The histories of the directories that sessions work in: one for each, whoever works there. */
export class DirectoryHistories {
  readonly #dataDirectory: string;
  readonly #log: EngineLog;
  readonly #opened = new Map<string, Promise<DirectoryHistory | NoHistory>>();

  constructor(dataDirectory: string, log: EngineLog) {
    this.#dataDirectory = dataDirectory;
    this.#log = log;
  }

  /** Opens it if it is not open yet. Never throws. */
  async of(directory: string): Promise<DirectoryHistory | NoHistory> {
    const root = await realpath(directory).catch(() => directory);
    const known = this.#opened.get(root);
    if (known !== undefined) return known;
    const opened = this.#open(root);
    this.#opened.set(root, opened);
    // A directory that is made later has a history then.
    if ("unavailable" in (await opened)) this.#opened.delete(root);
    return opened;
  }

  /** Resolves when nothing is written any more. */
  async close(): Promise<void> {
    for (const opened of this.#opened.values()) {
      const history = await opened;
      if (!("unavailable" in history)) await history.close();
    }
    this.#opened.clear();
  }

  async #open(root: string): Promise<DirectoryHistory | NoHistory> {
    const closed = [this.#dataDirectory];
    // With the first directory: a start of the daemon pays nothing for it.
    const { DirectoryHistory, SnapshotsUnavailable } = await import("@muster/snapshots");
    try {
      const directory = join(this.#dataDirectory, "snapshots");
      const history = await DirectoryHistory.open({ root, directory, closed });
      const { recovered } = history;
      if (recovered) this.#log("warn", `a move of files that was cut is ${recovered.how}`, { root, ...recovered });
      return history;
    } catch (error) {
      const isExpected = error instanceof SnapshotsUnavailable;
      if (!isExpected) this.#log("error", "no snapshots of a directory", { root, error: messageOf(error) });
      return { unavailable: messageOf(error) };
    }
  }
}
