import { type FSWatcher, watch } from "node:fs";
import { SerialQueue } from "@muster/node";
import { typeOf } from "../entry.ts";
import type { Directory } from "../inside/directory.ts";
import { joinNames } from "../inside/path-bytes.ts";
import { IgnoreRules } from "../tree/ignore-rules.ts";
import type { ChangeQueue } from "./change-queue.ts";
import { EventBurst } from "./event-burst.ts";

const mostDirectories = 20_000;
/** Of the whole process: the kernel has one queue for all of its watches. */
const burst = new EventBurst();
const trees = new Set<WatchedTree>();

interface Watched {
  readonly names: readonly Buffer[];
  readonly watcher: FSWatcher;
  readonly rules: IgnoreRules;
}

/** A directory with everything below it, watched. Each directory by itself, opened as everywhere here: never through a link. */
export class WatchedTree {
  readonly #top: Directory;
  readonly #changes: ChangeQueue;
  readonly #leavesOut: boolean;
  readonly #watched = new Map<string, Watched>();
  /** Looks of which one follows the other, so that what is told is in an order that was true. */
  readonly #looks = new SerialQueue();
  #isClosed = false;

  constructor(top: Directory, changes: ChangeQueue, { leavesOut }: { leavesOut: boolean }) {
    this.#top = top;
    this.#changes = changes;
    this.#leavesOut = leavesOut;
  }

  /** Resolves when every directory is watched. */
  async begin(): Promise<void> {
    trees.add(this);
    await this.#watch(await this.#top.again(), [], IgnoreRules.none, false);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    trees.delete(this);
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
    await this.#looks.run(async () => {});
    await this.#top.close();
  }

  /** Watches a directory and what is below it; `isNews`: what it holds already is told as created. Closes the directory. */
  async #watch(directory: Directory, names: readonly Buffer[], above: IgnoreRules, isNews: boolean): Promise<void> {
    try {
      if (this.#isClosed || this.#watched.has(keyOf(names))) return;
      if (this.#watched.size >= mostDirectories) return this.#changes.overflow();
      const rules = this.#leavesOut ? await above.with(directory, names.length) : above;
      const watcher = watch(directory.path, { encoding: "buffer", persistent: true });
      watcher.on("error", () => this.#changes.overflow());
      watcher.on("change", (_, name) => {
        if (burst.add()) for (const tree of trees) tree.#changes.overflow();
        if (name === null) return this.#changes.overflow();
        const changed = Buffer.from(name as unknown as Buffer);
        void this.#looks.run(() => this.#look([...names, changed])).catch(() => this.#changes.overflow());
      });
      this.#watched.set(keyOf(names), { names, watcher, rules });
      for (const name of await directory.names()) await this.#enter(directory, [...names, name], rules, isNews);
    } catch (error) {
      // It has gone, or there are no more watches to be had (ENOSPC): either way something is not seen.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT") this.#changes.overflow();
    } finally {
      await directory.close();
    }
  }

  async #enter(directory: Directory, names: readonly Buffer[], rules: IgnoreRules, isNews: boolean): Promise<void> {
    const name = names.at(-1);
    const found = name === undefined ? undefined : await directory.find(name);
    if (name === undefined || found === undefined) return;
    if (this.#leavesOut && rules.leaveOut(names, found.isDirectory())) return;
    if (isNews) this.#changes.add(joinNames(names), { type: "created", kind: typeOf(found) });
    if (!found.isDirectory()) return;
    const inner = await directory.openDirectory(name).catch(() => undefined); // Not to be entered: it is not watched.
    if (inner !== undefined) await this.#watch(inner, names, rules, isNews);
  }

  /** What has become of a name of which something was told. */
  async #look(names: readonly Buffer[]): Promise<void> {
    const name = names.at(-1);
    if (this.#isClosed || name === undefined) return;
    const above = names.slice(0, -1);
    const watched = this.#watched.get(keyOf(above));
    const directory = await this.#openDown(above);
    if (directory === undefined) return;
    try {
      const found = await directory.find(name);
      const isDirectory = found?.isDirectory() ?? this.#watched.has(keyOf(names));
      if (this.#leavesOut && watched?.rules.leaveOut(names, isDirectory)) return;
      if (found === undefined) {
        this.#forget(names);
        return this.#changes.add(joinNames(names), { type: "removed" });
      }
      if (!found.isDirectory()) {
        this.#forget(names);
        const isNew = found.birthtimeNs === found.mtimeNs && found.ctimeNs === found.birthtimeNs;
        return this.#changes.add(joinNames(names), { type: isNew ? "created" : "changed", kind: typeOf(found) });
      }
      if (this.#watched.has(keyOf(names))) return;
      await this.#enter(directory, names, watched?.rules ?? IgnoreRules.none, true);
    } finally {
      await directory.close();
    }
  }

  /** Nothing below a directory that is gone is watched any more. */
  #forget(names: readonly Buffer[]): void {
    const key = keyOf(names);
    for (const [other, { watcher }] of this.#watched) {
      if (other !== key && !other.startsWith(`${key}/`)) continue;
      watcher.close();
      this.#watched.delete(other);
    }
  }

  async #openDown(names: readonly Buffer[]): Promise<Directory | undefined> {
    let directory = await this.#top.again();
    for (const name of names) {
      const above = directory;
      const inner = await above.openDirectory(name).catch(() => undefined); // Told by its own removal.
      await above.close();
      if (inner === undefined) return undefined;
      directory = inner;
    }
    return directory;
  }
}

function keyOf(names: readonly Buffer[]): string {
  return joinNames(names).toString("latin1");
}
