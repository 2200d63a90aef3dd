import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { makeDirectories, replaceFile } from "@muster/node";
import { z } from "zod";
import type { FileSymbols } from "./symbol-parser.ts";

/** Raise it when the queries or the shape change: old caches are then thrown away. */
const format = 1;
/** A file written this shortly before the cache may have changed again without a new time. */
const unsureMs = 2000;

/** Nobody else writes this file, so only its head is checked: checking the whole would cost more than it saves. */
const Head = z.looseObject({
  format: z.literal(format),
  savedAt: z.number(),
  files: z.custom((value) => typeof value === "object" && value !== null),
  symbols: z.custom((value) => typeof value === "object" && value !== null),
});

/** Size, time of the last change, content hash. */
type KnownFile = readonly [size: number, modified: number, hash: string];

interface Stored {
  readonly savedAt: number;
  readonly files: Record<string, KnownFile>;
  /** By content hash; null for a text without symbols. */
  readonly symbols: Record<string, FileSymbols | null>;
}

/** Symbols by content, and for unchanged files by size and time, so that a warm start opens no source at all. */
export class SymbolCache {
  readonly #file: string;
  #savedAt = 0;
  #files = new Map<string, KnownFile>();
  #symbols = new Map<string, FileSymbols | null>();
  readonly #seen = new Set<string>();
  #isDirty = false;

  constructor(directory: string, root: string) {
    this.#file = path.join(directory, `${hashOf(root)}.json`);
  }

  /** A cache that is missing or broken is an empty one. */
  async load(): Promise<void> {
    try {
      const read: unknown = JSON.parse(await readFile(this.#file, "utf8"));
      const { savedAt, files, symbols } = Head.parse(read) as unknown as Stored;
      this.#files = new Map(Object.entries(files));
      this.#symbols = new Map(Object.entries(symbols));
      this.#savedAt = savedAt;
    } catch {
      // A cache that cannot be read is made again.
      this.#files.clear();
      this.#symbols.clear();
    }
  }

  unchanged(file: string, size: number, modified: number): FileSymbols | null | undefined {
    const known = this.#files.get(file);
    if (known === undefined || known[0] !== size || known[1] !== modified) return undefined;
    if (modified > this.#savedAt - unsureMs) return undefined;
    this.#seen.add(file);
    return this.#symbols.get(known[2]);
  }

  byContent(file: string, size: number, modified: number, hash: string): FileSymbols | null | undefined {
    const symbols = this.#symbols.get(hash);
    if (symbols !== undefined) this.put(file, size, modified, hash, symbols);
    return symbols;
  }

  put(file: string, size: number, modified: number, hash: string, symbols: FileSymbols | null): void {
    this.#files.set(file, [size, modified, hash]);
    this.#symbols.set(hash, symbols);
    this.#seen.add(file);
    this.#isDirty = true;
  }

  /** Keeps what was seen since the last save and forgets the rest. */
  async save(): Promise<void> {
    const isSame = !this.#isDirty && this.#seen.size === this.#files.size;
    if (!isSame) {
      this.#forgetUnseen();
      this.#isDirty = false;
      this.#savedAt = Date.now();
      await this.#write();
    }
    this.#seen.clear();
  }

  #forgetUnseen(): void {
    for (const file of [...this.#files.keys()]) if (!this.#seen.has(file)) this.#files.delete(file);
    const hashes = new Set([...this.#files.values()].map(([, , hash]) => hash));
    for (const hash of [...this.#symbols.keys()]) if (!hashes.has(hash)) this.#symbols.delete(hash);
  }

  async #write(): Promise<void> {
    const files = Object.fromEntries(this.#files);
    const stored = { format, savedAt: this.#savedAt, files, symbols: Object.fromEntries(this.#symbols) };
    try {
      await makeDirectories(path.dirname(this.#file));
      await replaceFile(this.#file, JSON.stringify(stored));
    } catch {
      // A cache that cannot be written costs time, nothing else.
    }
  }
}

export function hashOf(content: string | Buffer): string {
  return createHash("sha1").update(content).digest("base64url");
}
