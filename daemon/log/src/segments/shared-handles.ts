import type { FileHandle } from "node:fs/promises";
import { openRegular } from "@muster/node";

/** One open file per segment, however many readers are in it; closed when the last of them leaves. */
export class SharedHandles {
  readonly #open = new Map<string, { handle: Promise<FileHandle>; users: number }>();

  async acquire(path: string): Promise<FileHandle> {
    let entry = this.#open.get(path);
    if (entry === undefined) {
      entry = { handle: openRegular(path), users: 0 };
      this.#open.set(path, entry);
    }
    entry.users++;
    try {
      return await entry.handle;
    } catch (error) {
      if (this.#open.get(path) === entry) this.#open.delete(path);
      throw error;
    }
  }

  async release(path: string): Promise<void> {
    const entry = this.#open.get(path);
    if (entry === undefined || --entry.users > 0) return;
    this.#open.delete(path);
    await (await entry.handle).close();
  }
}
