import { appendFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readRegular, SerialQueue } from "@muster/node";
import type { SessionState } from "@muster/schema/wire";
import { writeDurably } from "./durable-file.ts";
import type { Layout } from "./layout.ts";
import { readSessionFile } from "./session-file.ts";
import { sessionFolder, sessionOfFolder } from "./session-folder.ts";
import { SortedList } from "./sorted-list.ts";

export interface IndexEntry {
  sessionId: string;
  createdAt: string;
  updatedAt: string;
  lastUsedAt: string;
  state: SessionState;
  agent: string;
  directory: string;
}

/**
 * Every session in the order of creation and of use, so that a page of a list costs the same with ten sessions and with 20,000.
 * A cache: one line per change in a file, compared with the folders at the first use, which are the truth.
 */
export class SessionIndex {
  readonly #layout: Layout;
  readonly #entries = new Map<string, IndexEntry>();
  #byCreation = new SortedList(creationOrder);
  #byUse = new SortedList(useOrder);
  #loaded: Promise<void> | undefined;
  readonly #writes = new SerialQueue();
  /** Only the log of these knows when they were used. */
  readonly #unsure = new Set<string>();

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Reads the cache and mends it. Called in the background after the start; everything else waits for it. */
  async load(): Promise<void> {
    this.#loaded ??= this.#load();
    await this.#loaded;
  }

  put(entry: IndexEntry): void {
    this.refresh(entry);
    this.#write(entry);
  }

  /** Sessions whose file lost its checkpoint: whoever has read their log puts them. */
  get unsure(): readonly string[] {
    return [...this.#unsure];
  }

  /** The same until the daemon ends, without a write. */
  refresh(entry: IndexEntry): void {
    this.#unsure.delete(entry.sessionId);
    this.#drop(entry.sessionId);
    this.#entries.set(entry.sessionId, entry);
    this.#byCreation.add(entry);
    this.#byUse.add(entry);
  }

  remove(sessionId: string): void {
    if (this.#drop(sessionId)) this.#write({ sessionId, deleted: true });
  }

  /** The entries after a session, in the order of creation. undefined when there is no such session. */
  async after(sessionId: string | undefined): Promise<Iterable<IndexEntry> | undefined> {
    await this.load();
    if (sessionId === undefined) return this.#byCreation.after();
    const entry = this.#entries.get(sessionId);
    return entry && this.#byCreation.after(entry);
  }

  /** The entries after a session, those used last first. undefined when there is no such session. */
  async lastUsed(sessionId: string | undefined): Promise<Iterable<IndexEntry> | undefined> {
    await this.load();
    if (sessionId === undefined) return this.#byUse.before();
    const entry = this.#entries.get(sessionId);
    return entry && this.#byUse.before(entry);
  }

  async close(): Promise<void> {
    // A failed load was logged by whoever began it.
    await this.#loaded?.catch(() => undefined);
    await this.#writes.idle();
  }

  async #load(): Promise<void> {
    let isIncomplete = false;
    // Neither exists before the first session.
    const [text, folders] = await Promise.all([
      readRegular(this.#layout.index).then(String, (error: NodeJS.ErrnoException) => {
        isIncomplete = error.code !== "ENOENT";
        return "";
      }),
      readdir(this.#layout.sessions).catch(() => []),
    ]);
    const known = await listedIn(text);
    const names = new Map([...known.keys()].map((sessionId) => [sessionFolder(sessionId), sessionId]));
    for (const folder of folders) {
      const listed = known.get(names.get(folder) ?? "");
      isIncomplete ||= !isWhole(listed);
      const entry = isWhole(listed) ? listed : await this.#entryOf(folder);
      if (entry && !this.#entries.has(entry.sessionId)) this.#entries.set(entry.sessionId, entry);
    }
    this.#byCreation = new SortedList(creationOrder, this.#entries.values());
    this.#byUse = new SortedList(useOrder, this.#entries.values());
    const isLong = text.split("\n").length > 2 * this.#entries.size + 1000;
    if (isIncomplete || isLong) await this.#rewrite();
  }

  async #entryOf(folder: string): Promise<IndexEntry | undefined> {
    const path = join(this.#layout.sessions, folder);
    // A file that is no use leaves a session of which only the name is known.
    const file = await readSessionFile(join(path, "session.json")).catch(() => null);
    if (file === null) return this.#unreadable(folder);
    if (file === undefined || sessionFolder(file.sessionId) !== folder) return undefined;
    const { sessionId, createdAt, checkpoint, settings } = file;
    const { agent, directory } = settings;
    const state = checkpoint?.life === "ended" ? "ended" : "asleep";
    if (checkpoint === undefined) this.#unsure.add(sessionId);
    const updatedAt = checkpoint?.updatedAt ?? createdAt;
    const lastUsedAt = checkpoint?.lastUsedAt ?? updatedAt;
    return { sessionId, createdAt, updatedAt, lastUsedAt, state, agent, directory };
  }

  async #unreadable(folder: string): Promise<IndexEntry | undefined> {
    const sessionId = sessionOfFolder(folder);
    // A folder that goes away meanwhile is no session.
    const found = await stat(join(this.#layout.sessions, folder)).catch(() => undefined);
    if (sessionId === undefined || !found) return undefined;
    const time = found.mtime.toISOString();
    const times = { createdAt: time, updatedAt: time, lastUsedAt: time };
    return { sessionId, ...times, state: "unreadable", agent: "unknown", directory: "" };
  }

  /** Best effort, like every write of a cache. */
  async #rewrite(): Promise<void> {
    const text = [...this.#byCreation.after()].map((entry) => `${JSON.stringify(entry)}\n`).join("");
    await this.#writes.run(() => writeDurably(this.#layout.index, text)).catch(() => undefined);
  }

  /** Whether there was one. */
  #drop(sessionId: string): boolean {
    const entry = this.#entries.get(sessionId);
    if (entry === undefined) return false;
    this.#unsure.delete(sessionId);
    this.#byCreation.remove(entry);
    this.#byUse.remove(entry);
    return this.#entries.delete(sessionId);
  }

  /** Best effort: what is missing here is found again by the comparison with the folders. */
  #write(line: IndexEntry | { sessionId: string; deleted: true }): void {
    const text = `${JSON.stringify(line)}\n`;
    void this.#writes.run(() => appendFile(this.#layout.index, text, { mode: 0o600 })).catch(() => undefined);
  }
}

/** As far as a line of the file tells. */
export type ListedEntry = Omit<IndexEntry, LaterField> & { [Name in LaterField]?: string };
type LaterField = "agent" | "directory" | "lastUsedAt";

/** Only a file with something in it needs the schema of its lines. */
async function listedIn(text: string): Promise<Map<string, ListedEntry>> {
  if (text === "") return new Map();
  const { readIndexLines } = await import("./session-index-lines.ts");
  return readIndexLines(text).entries;
}

/** Lines of daemons up to 0.1 do not say whose session it is, where, and when it was used: its folder is looked at once more. */
function isWhole(entry: ListedEntry | undefined): entry is IndexEntry {
  return entry?.agent !== undefined && entry.directory !== undefined && entry.lastUsedAt !== undefined;
}

function creationOrder(left: IndexEntry, right: IndexEntry): number {
  return textOrder(left.createdAt, right.createdAt) || textOrder(left.sessionId, right.sessionId);
}

function useOrder(left: IndexEntry, right: IndexEntry): number {
  return textOrder(left.lastUsedAt, right.lastUsedAt) || creationOrder(left, right);
}

function textOrder(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
