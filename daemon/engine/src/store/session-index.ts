import { appendFile, readdir, readFile } from "node:fs/promises";
import { SerialQueue } from "@muster/adapters";
import type { SessionState } from "@muster/schema";
import { writeDurably } from "./durable-file.ts";
import type { Layout } from "./layout.ts";
import { readSessionFile } from "./session-file.ts";
import { sessionFolder } from "./session-folder.ts";

export interface IndexEntry {
  sessionId: string;
  createdAt: string;
  updatedAt: string;
  state: SessionState;
}

/**
 * Every session in the order of creation, so that a page of a list costs the same with ten sessions and with 20,000.
 * A cache: one line per change in a file, compared with the folders at the first use, which are the truth.
 */
export class SessionIndex {
  readonly #layout: Layout;
  readonly #entries = new Map<string, IndexEntry>();
  #order: IndexEntry[] = [];
  #loaded: Promise<void> | undefined;
  readonly #writes = new SerialQueue();

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Reads the cache and mends it. Called in the background after the start; everything else waits for it. */
  async load(): Promise<void> {
    this.#loaded ??= this.#load();
    await this.#loaded;
  }

  put(entry: IndexEntry): void {
    this.#set(entry);
    this.#write(entry);
  }

  remove(sessionId: string): void {
    const entry = this.#entries.get(sessionId);
    if (!entry) return;
    this.#entries.delete(sessionId);
    this.#order.splice(this.#position(entry), 1);
    this.#write({ sessionId, deleted: true });
  }

  /** The entries after a session, in order. undefined when there is no such session. */
  async after(sessionId: string | undefined): Promise<Iterable<IndexEntry> | undefined> {
    await this.load();
    if (sessionId === undefined) return this.#from(0);
    const entry = this.#entries.get(sessionId);
    return entry && this.#from(this.#position(entry) + 1);
  }

  async close(): Promise<void> {
    // A failed load was logged by whoever began it.
    await this.#loaded?.catch(() => undefined);
    await this.#writes.idle();
  }

  *#from(start: number): Iterable<IndexEntry> {
    for (let at = start; at < this.#order.length; at++) {
      const entry = this.#order[at];
      if (entry) yield entry;
    }
  }

  async #load(): Promise<void> {
    // Neither exists before the first session.
    const [text, folders] = await Promise.all([
      readFile(this.#layout.index, "utf8").catch(() => ""),
      readdir(this.#layout.sessions).catch(() => []),
    ]);
    const known = readLines(text);
    const names = new Map([...known.keys()].map((sessionId) => [sessionFolder(sessionId), sessionId]));
    let isIncomplete = false;
    for (const folder of folders) {
      const sessionId = names.get(folder);
      isIncomplete ||= sessionId === undefined;
      const entry = sessionId === undefined ? await this.#entryOf(folder) : known.get(sessionId);
      if (entry && !this.#entries.has(entry.sessionId)) this.#entries.set(entry.sessionId, entry);
    }
    this.#order = [...this.#entries.values()].sort(byCreation);
    const isLong = text.split("\n").length > 2 * this.#order.length + 1000;
    if (isIncomplete || isLong) await this.#rewrite();
  }

  async #entryOf(folder: string): Promise<IndexEntry | undefined> {
    // A folder without a readable file is no session that could be listed.
    const file = await readSessionFile(`${this.#layout.sessions}/${folder}/session.json`).catch(() => undefined);
    if (!file) return undefined;
    const { sessionId, createdAt, checkpoint } = file;
    const state = checkpoint?.life === "ended" ? "ended" : "asleep";
    return { sessionId, createdAt, updatedAt: checkpoint?.updatedAt ?? createdAt, state };
  }

  /** Best effort, like every write of a cache. */
  async #rewrite(): Promise<void> {
    const text = this.#order.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    await this.#writes.run(() => writeDurably(this.#layout.index, text)).catch(() => undefined);
  }

  #set(entry: IndexEntry): void {
    const old = this.#entries.get(entry.sessionId);
    if (old) {
      Object.assign(old, entry);
      return;
    }
    this.#entries.set(entry.sessionId, entry);
    this.#order.splice(this.#position(entry), 0, entry);
  }

  /** Where an entry is or belongs, by binary search. */
  #position(entry: IndexEntry): number {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#order[middle];
      if (other && byCreation(other, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Best effort: what is missing here is found again by the comparison with the folders. */
  #write(line: IndexEntry | { sessionId: string; deleted: true }): void {
    const text = `${JSON.stringify(line)}\n`;
    void this.#writes.run(() => appendFile(this.#layout.index, text, { mode: 0o600 })).catch(() => undefined);
  }
}

function readLines(text: string): Map<string, IndexEntry> {
  const entries = new Map<string, IndexEntry>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      const entry = JSON.parse(line) as IndexEntry & { deleted?: true };
      if (entry.deleted) entries.delete(entry.sessionId);
      else entries.set(entry.sessionId, entry);
    } catch {
      // A torn last line: the folder it spoke of is looked at instead.
    }
  }
  return entries;
}

function byCreation(left: IndexEntry, right: IndexEntry): number {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? -1 : 1;
  if (left.sessionId === right.sessionId) return 0;
  return left.sessionId < right.sessionId ? -1 : 1;
}
