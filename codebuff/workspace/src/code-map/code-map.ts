import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { listFiles } from "../search/file-list.ts";
import { languageOf } from "./languages.ts";
import { callersOf, scoresOf } from "./scores.ts";
import { hashOf, SymbolCache } from "./symbol-cache.ts";
import { type FileSymbols, SymbolParser } from "./symbol-parser.ts";

/** Larger sources are generated: they cost seconds and say little. */
const largestSource = 300_000;
const mostFiles = 10_000;
const sliceMs = 12;

export interface CodeMapOptions {
  readonly root: string;
  readonly cacheDirectory?: string;
}

export interface MappedFile {
  readonly path: string;
  /** Symbol → score, the highest first. */
  readonly scores: ReadonlyMap<string, number>;
}

/** One state of the project: every visible file, its symbols with scores, and who calls them. */
export interface CodeMapView {
  readonly files: readonly MappedFile[];
  /** Symbol → files that use it, for the symbols of this file. */
  referencedBy(file: string): Record<string, string[]>;
  /** How many files had to be parsed for this view. */
  readonly parsed: number;
}

/** Built when first asked for; asked again it looks only at what changed. */
export class CodeMap {
  readonly #root: string;
  readonly #cache: SymbolCache;
  readonly #parser = new SymbolParser();
  readonly #closing = new AbortController();
  #loaded = false;
  #last: { readonly view: CodeMapView; readonly at: number } | undefined;
  #building: Promise<CodeMapView> | undefined;

  constructor({ root, cacheDirectory = path.join(homedir(), ".codebuff", "cache", "code-map") }: CodeMapOptions) {
    this.#root = root;
    this.#cache = new SymbolCache(cacheDirectory, root);
  }

  /** Calls at the same time share one build. */
  view(): Promise<CodeMapView> {
    this.#building ??= this.#build(this.#closing.signal)
      .then((view) => {
        this.#last = { view, at: performance.now() };
        return view;
      })
      .finally(() => {
        this.#building = undefined;
      });
    return this.#building;
  }

  /** For those who would rather have an old view or none than wait. The build goes on for the next one. */
  async soon(limits: { readonly maxAgeMs: number; readonly waitMs: number }): Promise<CodeMapView | undefined> {
    if (this.#last !== undefined && performance.now() - this.#last.at < limits.maxAgeMs) return this.#last.view;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<CodeMapView | undefined>((resolve) => {
      timer = setTimeout(() => resolve(this.#last?.view), limits.waitMs);
    });
    const fresh = this.view().catch(() => undefined);
    return Promise.race([fresh, patience]).finally(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#building?.catch(() => undefined);
    await this.#parser.close();
  }

  async #build(signal: AbortSignal): Promise<CodeMapView> {
    const loading = this.#loaded ? undefined : this.#cache.load();
    this.#loaded = true;
    const [listed] = await Promise.all([listFiles({ root: this.#root, signal }), loading]);
    const files = nearestFirst(listed).slice(0, mostFiles);
    const symbols = new Map<string, FileSymbols>();
    const pause = pauseNowAndThen(signal);
    let parsed = 0;
    for (const file of files) {
      if (languageOf(file) === undefined) continue;
      await pause();
      const source = this.#look(file);
      if (source === undefined) continue;
      const known = this.#cache.unchanged(file, source.size, source.modified);
      const read = known === undefined ? await this.#read(source) : { symbols: known, parsed: false };
      parsed += read.parsed ? 1 : 0;
      if (read.symbols !== null) symbols.set(file, read.symbols);
    }
    await this.#cache.save();
    return viewOf(files, symbols, parsed);
  }

  #look(file: string): Source | undefined {
    const info = statSync(path.join(this.#root, file), { throwIfNoEntry: false });
    if (info === undefined || !info.isFile() || info.size > largestSource) return undefined;
    return { file, size: info.size, modified: info.mtimeMs };
  }

  async #read({ file, size, modified }: Source): Promise<{ symbols: FileSymbols | null; parsed: boolean }> {
    const bytes = readOrNothing(path.join(this.#root, file));
    if (bytes === undefined) return { symbols: null, parsed: false };
    const hash = hashOf(bytes);
    const known = this.#cache.byContent(file, size, modified, hash);
    if (known !== undefined) return { symbols: known, parsed: false };
    const symbols = (await this.#parser.parse(file, bytes.toString("utf8"))) ?? null;
    this.#cache.put(file, size, modified, hash, symbols);
    return { symbols, parsed: true };
  }
}

/** A file deleted or locked meanwhile has no symbols. */
function readOrNothing(absolute: string): Buffer | undefined {
  try {
    return readFileSync(absolute);
  } catch {
    // Deleted or closed to us since the list was made: it has no symbols.
    return undefined;
  }
}

/**
 * Small files are read faster one by one than through the thread pool, but nobody else gets a turn meanwhile: after every
 * few milliseconds the others come first.
 */
function pauseNowAndThen(signal: AbortSignal): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < sliceMs) return undefined;
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      signal.throwIfAborted();
      last = performance.now();
    });
  };
}

interface Source {
  readonly file: string;
  readonly size: number;
  readonly modified: number;
}

/** Breadth first: when there are too many files the deepest are left out. */
function nearestFirst(files: readonly string[]): string[] {
  return files
    .map((file) => ({ file, depth: file.split("/").length }))
    .sort((a, b) => a.depth - b.depth || (a.file < b.file ? -1 : 1))
    .map((one) => one.file);
}

function viewOf(files: readonly string[], symbols: ReadonlyMap<string, FileSymbols>, parsed: number): CodeMapView {
  const callers = callersOf(symbols);
  return {
    files: files.map((file) => ({ path: file, scores: scoresOf(file, symbols.get(file), callers) })),
    referencedBy(file) {
      const found: Record<string, string[]> = {};
      for (const name of symbols.get(file)?.defs ?? []) {
        const users = callers.get(name)?.files.filter((user) => user !== file) ?? [];
        if (users.length > 0) found[name] = users.slice(0, 25);
      }
      return found;
    },
    parsed,
  };
}
