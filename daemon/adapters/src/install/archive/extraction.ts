import { link, mkdir, open, realpath, symlink } from "node:fs/promises";
import { dirname, join, posix, sep } from "node:path";

/** The archive is broken, or wants something an archive must not. */
export class ArchiveFailure extends Error {
  override readonly name = "ArchiveFailure";
}

export interface ExtractionLimits {
  /** Of all files together. */
  bytes: number;
  entries: number;
}

const usualLimits: ExtractionLimits = { bytes: 3 * 1024 ** 3, entries: 20_000 };

/**
 * Writes the entries of one archive below a folder and nowhere else. Links are made last, so that no file is ever
 * written through one, and only to what lies inside.
 */
export class Extraction {
  readonly #root: string;
  readonly #limits: ExtractionLimits;
  readonly #links: { path: string; name: string; target: string; hard: boolean }[] = [];
  readonly #folders = new Set<string>();
  #bytes = 0;
  #entries = 0;

  constructor(root: string, limits: ExtractionLimits = usualLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  async folder(name: string): Promise<void> {
    // Archives made of a whole folder begin with the folder itself.
    if (name === "." || name === "./") return;
    await this.#makeFolder(this.#place(name));
  }

  async file(name: string, mode: number, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#place(name);
    await this.#makeFolder(dirname(path));
    // Never over something that is there: the second of two equal names would win unseen.
    const file = await open(path, "wx", fileMode(mode));
    try {
      for await (const chunk of chunks) {
        this.#bytes += chunk.length;
        if (this.#bytes > this.#limits.bytes) throw new ArchiveFailure(`more than ${this.#limits.bytes} bytes inside`);
        await file.write(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
  }

  symlink(name: string, target: string): void {
    if (target.startsWith("/"))
      throw new ArchiveFailure(`the link ${name} points to ${target}, outside of the archive`);
    cleanName(posix.join(posix.dirname(name), target));
    this.#links.push({ path: this.#place(name), name, target, hard: false });
  }

  hardLink(name: string, target: string): void {
    this.#links.push({ path: this.#place(name), name, target: this.#inside(target), hard: true });
  }

  async finish(): Promise<void> {
    const root = await realpath(this.#root);
    for (const { path, name, target, hard } of this.#links) {
      await this.#makeFolder(dirname(path));
      await (hard ? link(target, path) : symlink(target, path));
      // A chain of links may leave although each one alone would not.
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined) throw new ArchiveFailure(`the link ${name} points to nothing`);
      if (real !== root && !real.startsWith(root + sep))
        throw new ArchiveFailure(`the link ${name} leaves the archive`);
    }
  }

  #place(name: string): string {
    this.#entries++;
    if (this.#entries > this.#limits.entries) throw new ArchiveFailure(`more than ${this.#limits.entries} entries`);
    return this.#inside(name);
  }

  #inside(name: string): string {
    return join(this.#root, cleanName(name));
  }

  async #makeFolder(path: string): Promise<void> {
    if (this.#folders.has(path)) return;
    await mkdir(path, { recursive: true, mode: 0o755 });
    this.#folders.add(path);
  }
}

/** A relative name without a way up. Backslashes and colons mean something only on systems these archives are not for. */
function cleanName(name: string): string {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (name.startsWith("/") || name.includes("\0") || parts.includes("..") || parts.length === 0) {
    throw new ArchiveFailure(`the entry ${JSON.stringify(name)} lies outside of the archive`);
  }
  return parts.join("/");
}

/** Readable by its owner, never set-uid, never writable by others. */
function fileMode(mode: number): number {
  return (mode & 0o755) | 0o600;
}
