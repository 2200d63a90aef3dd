import { appendFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { SerialQueue } from "@muster/adapters";
import { SessionId, SessionState } from "@muster/schema";
import { z } from "zod";
import { writeDurably } from "./durable-file.ts";
import type { Layout } from "./layout.ts";
import { readSessionFile } from "./session-file.ts";
import { sessionFolder, sessionOfFolder } from "./session-folder.ts";

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
    const { entries: known } = readIndexLines(text);
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
    const path = join(this.#layout.sessions, folder);
    // A file that is no use leaves a session of which only the name is known.
    const file = await readSessionFile(join(path, "session.json")).catch(() => null);
    if (file === null) return this.#unreadable(folder);
    if (file === undefined || sessionFolder(file.sessionId) !== folder) return undefined;
    const { sessionId, createdAt, checkpoint } = file;
    const state = checkpoint?.life === "ended" ? "ended" : "asleep";
    return { sessionId, createdAt, updatedAt: checkpoint?.updatedAt ?? createdAt, state };
  }

  async #unreadable(folder: string): Promise<IndexEntry | undefined> {
    const sessionId = sessionOfFolder(folder);
    // A folder that goes away meanwhile is no session.
    const found = await stat(join(this.#layout.sessions, folder)).catch(() => undefined);
    if (sessionId === undefined || !found) return undefined;
    const time = found.mtime.toISOString();
    return { sessionId, createdAt: time, updatedAt: time, state: "unreadable" };
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

const Line = z.union([
  z.object({ sessionId: SessionId, deleted: z.literal(true) }),
  z.object({ sessionId: SessionId, createdAt: z.iso.datetime(), updatedAt: z.iso.datetime(), state: SessionState }),
]);

/** `broken` counts the lines that are no use. */
export function readIndexLines(text: string): { entries: Map<string, IndexEntry>; broken: number } {
  const entries = new Map<string, IndexEntry>();
  let broken = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      const entry = Line.parse(JSON.parse(line));
      if ("deleted" in entry) entries.delete(entry.sessionId);
      else entries.set(entry.sessionId, entry);
    } catch {
      // A torn or damaged line: the folder it spoke of is looked at instead.
      broken++;
    }
  }
  return { entries, broken };
}

function byCreation(left: IndexEntry, right: IndexEntry): number {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? -1 : 1;
  if (left.sessionId === right.sessionId) return 0;
  return left.sessionId < right.sessionId ? -1 : 1;
}
