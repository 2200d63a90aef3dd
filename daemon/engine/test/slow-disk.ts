import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

/** A disk on which files below a folder take `slowMs` to get their name: the last step of every durable write. */
export class SlowDisk {
  /** Files that are being written now. */
  writing = 0;
  readonly #rename = fs.rename;
  #began: (() => void) | undefined;

  constructor(below: string, slowMs: number) {
    fs.rename = async (from, to) => {
      if (!String(to).startsWith(below)) return this.#rename(from, to);
      this.writing++;
      this.#began?.();
      try {
        await sleep(slowMs);
        await this.#rename(from, to);
      } finally {
        this.writing--;
      }
    };
    syncBuiltinESMExports();
  }

  /** Resolves when a file is being written. */
  begins(): Promise<void> {
    if (this.writing > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#began = resolve;
    });
  }

  remove(): void {
    fs.rename = this.#rename;
    syncBuiltinESMExports();
  }
}
