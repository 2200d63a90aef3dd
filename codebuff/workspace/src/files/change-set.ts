import { randomBytes } from "node:crypto";
import { lstat, mkdir, rename, unlink } from "node:fs/promises";
import path from "node:path";
import { isMissing, type Location } from "./project.ts";
import { readTextFile, type TextFile, writeTextFile } from "./text-file.ts";

interface Entry {
  readonly location: Location;
  readonly before: TextFile | undefined;
  after: string | undefined;
}

/**
 * Changes of several files, planned in memory and then made together. Reading sees what is planned. Files that are only
 * deleted or moved are never read, so that binary ones can be, and links and modes survive a move.
 */
export class ChangeSet {
  readonly #edits = new Map<string, Entry>();
  readonly #removals = new Map<string, Location>();
  readonly #moves: { from: Location; to: Location }[] = [];

  async read(location: Location): Promise<string | undefined> {
    if (this.#removals.has(location.named)) return undefined;
    return (await this.#edit(location)).after;
  }

  async write(location: Location, text: string): Promise<void> {
    const entry = await this.#edit(location);
    this.#removals.delete(location.named);
    entry.after = text;
  }

  async remove(location: Location): Promise<void> {
    const info = await lstat(location.named).catch(() => undefined);
    if (info === undefined) throw new Error(`${location.path} does not exist`);
    if (info.isDirectory()) throw new Error(`${location.path} is a directory`);
    this.#edits.delete(location.real);
    this.#removals.set(location.named, location);
  }

  async move(from: Location, to: Location): Promise<void> {
    if (await exists(to.named)) throw new Error(`${to.path} exists already`);
    if (!(await exists(from.named))) throw new Error(`${from.path} does not exist`);
    this.#moves.push({ from, to });
  }

  /** Makes every change or none: what was done before a failure is taken back. */
  async commit(): Promise<void> {
    const undo: (() => Promise<void>)[] = [];
    const asides: string[] = [];
    try {
      for (const { location, before, after } of this.#edits.values()) {
        if (after === undefined || after === before?.text) continue;
        await writeTextFile(location.real, after, before);
        undo.push(() => restore(location, before));
      }
      for (const location of this.#removals.values()) {
        const aside = asideName(location);
        await rename(location.named, aside);
        asides.push(aside);
        undo.push(() => rename(aside, location.named));
      }
      for (const { from, to } of this.#moves) {
        await mkdir(path.dirname(to.named), { recursive: true });
        await rename(from.named, to.named);
        undo.push(() => rename(to.named, from.named));
      }
    } catch (error) {
      for (const step of undo.toReversed()) await step().catch(() => undefined);
      throw error;
    }
    await Promise.all(asides.map((aside) => unlink(aside).catch(() => undefined)));
  }

  async #edit(location: Location): Promise<Entry> {
    const known = this.#edits.get(location.real);
    if (known !== undefined) return known;
    const before = await readTextFile(location.real);
    const entry: Entry = { location, before, after: before?.text };
    this.#edits.set(location.real, entry);
    return entry;
  }
}

async function restore(location: Location, before: TextFile | undefined): Promise<void> {
  if (before === undefined) return unlink(location.real);
  const now = await readTextFile(location.real);
  await writeTextFile(location.real, before.text, { ...before, version: now?.version ?? "" });
}

/** A deleted file is only renamed until everything else succeeded. The name itself goes, not what a link points to. */
function asideName(location: Location): string {
  const name = path.basename(location.named).slice(0, 80);
  return path.join(path.dirname(location.named), `.${name}.${randomBytes(6).toString("hex")}.removed`);
}

async function exists(named: string): Promise<boolean> {
  try {
    await lstat(named);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
