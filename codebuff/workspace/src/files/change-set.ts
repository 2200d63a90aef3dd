import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { isMissing, type Location } from "./access/project.ts";
import { readTextFile, type TextFile, writeTextFile } from "./access/text-file.ts";
import { fileDiff } from "./text/unified-diff.ts";

/** What a name stood for when the change was planned; made only if it still does. */
interface Planned {
  readonly location: Location;
  readonly version: string;
}

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
  readonly #removals = new Map<string, Planned>();
  readonly #moves: { from: Planned; to: Location }[] = [];
  readonly #executable = new Map<string, boolean>();

  async read(location: Location): Promise<string | undefined> {
    if (this.#removals.has(location.named)) return undefined;
    return (await this.#edit(location)).after;
  }

  async write(location: Location, text: string): Promise<void> {
    const entry = await this.#edit(location);
    this.#removals.delete(location.named);
    entry.after = text;
  }

  /** For a file that is written or exists; made when its content is. */
  setExecutable(location: Location, executable: boolean): void {
    this.#executable.set(location.real, executable);
  }

  async remove(location: Location): Promise<void> {
    const version = await versionOfName(location);
    if ((await lstat(location.named)).isDirectory()) throw new Error(`${location.path} is a directory`);
    this.#edits.delete(location.real);
    this.#removals.set(location.named, { location, version });
  }

  async move(from: Location, to: Location): Promise<void> {
    await refuseOverwrite(to);
    this.#moves.push({ from: { location: from, version: await versionOfName(from) }, to });
  }

  /** Everything that is planned, as a person would read it. A file that is no text is named without its content. */
  async diff(): Promise<string> {
    const moved = new Map(this.#moves.map(({ from, to }) => [from.location.named, to.path]));
    const parts: string[] = [];
    for (const { location, before, after } of this.#edits.values()) {
      const to = moved.get(location.named);
      moved.delete(location.named);
      if (to === undefined && after === before?.text) continue;
      parts.push(fileDiff({ file: location.path, to, before: before?.text, after }));
    }
    for (const { location } of this.#removals.values()) {
      const text = await readTextFile(location.named).catch(() => undefined);
      parts.push(fileDiff({ file: location.path, before: text?.text ?? "" }));
    }
    for (const { from, to } of this.#moves) {
      if (moved.has(from.location.named)) {
        parts.push(fileDiff({ file: from.location.path, to: to.path, before: "", after: "" }));
      }
    }
    return parts.join("");
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
      for (const [real, executable] of this.#executable) {
        const { mode } = await stat(real);
        // Whoever may read it may run it, as git and the umask have it.
        await chmod(real, executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
        undo.push(() => chmod(real, mode));
      }
      for (const { location, version } of this.#removals.values()) {
        await assertSame(location, version);
        const aside = asideName(location);
        await rename(location.named, aside);
        asides.push(aside);
        undo.push(() => rename(aside, location.named));
      }
      for (const { from, to } of this.#moves) {
        // An edit of the same file has just been made and changed its version.
        if (!this.#edits.has(from.location.real)) await assertSame(from.location, from.version);
        await refuseOverwrite(to);
        await mkdir(path.dirname(to.named), { recursive: true });
        await rename(from.location.named, to.named);
        undo.push(() => rename(to.named, from.location.named));
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

async function refuseOverwrite(to: Location): Promise<void> {
  if (await exists(to.named)) throw new Error(`${to.path} exists already`);
}

async function versionOfName(location: Location): Promise<string> {
  const info = await lstat(location.named, { bigint: true }).catch(() => undefined);
  if (info === undefined) throw new Error(`${location.path} does not exist`);
  return `${info.ino}:${info.size}:${info.mtimeNs}`;
}

async function assertSame(location: Location, version: string): Promise<void> {
  if ((await versionOfName(location)) !== version)
    throw new Error(`${location.path} was changed by somebody else meanwhile; read it again`);
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
