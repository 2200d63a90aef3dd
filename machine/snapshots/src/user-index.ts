import { BorrowedRepository } from "@muster/node";
import { z } from "zod";
import { split } from "./capture.ts";
import { stampOf } from "./look.ts";
import type { Store } from "./store.ts";

/** Entries of the person's index that this session changed: what stood there before, and what it left. */
export const IndexChanges = z.object({
  /** The commit that was checked out; after another one the old entries say something else. */
  head: z.string(),
  changes: z.record(z.string(), z.object({ before: z.string().nullable(), after: z.string().nullable() })),
});
export type IndexChanges = z.infer<typeof IndexChanges>;

interface IndexLook {
  readonly head: string;
  /** Path from the top of the work tree → mode and object name. */
  readonly entries: ReadonlyMap<string, string>;
}

export interface UserIndexOptions {
  store: Store;
  git: string;
  indexFile: string;
  gitDirectory: string;
}

/** The index of the repository a project lies in: what a session staged, renamed or removed there can be taken back. */
export class UserIndex {
  readonly #options: UserIndexOptions;
  #known: { stamp: string; look: IndexLook } | null = null;
  #seen: IndexLook | null = null;

  constructor(options: UserIndexOptions) {
    this.#options = options;
  }

  /** What others do to the index from here on is not this session's. */
  async begin(): Promise<void> {
    this.#seen = await this.#look();
  }

  /** What changed since the last look, as a change of this session or of somebody else. */
  async note(known: IndexChanges | null, own: boolean): Promise<IndexChanges | null> {
    const before = this.#seen;
    const now = await this.#look();
    this.#seen = now;
    if (before === null || now === null || now === before || !own) return known;
    const changes = known?.head === before.head ? { ...known.changes } : {};
    for (const path of new Set([...before.entries.keys(), ...now.entries.keys()])) {
      const [from, to] = [before.entries.get(path) ?? null, now.entries.get(path) ?? null];
      if (from !== to) changes[path] = { before: changes[path]?.before ?? from, after: to };
    }
    return { head: before.head, changes };
  }

  /** Puts entries back that are still as this session left them; `redo` is the other way. Nothing after another commit. */
  async move({ head, changes }: IndexChanges, way: "undo" | "redo"): Promise<void> {
    const now = await this.#look();
    if (now === null || now.head !== head) return;
    const lines = Object.entries(changes).flatMap(([path, { before, after }]) => {
      const [from, to] = way === "undo" ? [after, before] : [before, after];
      if (from === to || (now.entries.get(path) ?? null) !== from) return [];
      return [`${to ?? `0 ${"0".repeat(40)}`}\t${path}\0`];
    });
    if (lines.length === 0) return;
    // Removals first: a file cannot come where a directory still is.
    const input = lines.sort((one, other) => Number(other.startsWith("0 ")) - Number(one.startsWith("0 "))).join("");
    const { store, indexFile } = this.#options;
    // Our own repository is asked to write it: no setting of the person's may name a program that this runs.
    await store.git.run(["update-index", "-z", "--index-info"], { indexFile, input });
    this.#seen = await this.#look();
  }

  /** Null where it cannot be read, or holds a merge that is not settled. */
  async #look(): Promise<IndexLook | null> {
    const { store, git, indexFile, gitDirectory } = this.#options;
    const stamp = `${stampOf(indexFile)} ${stampOf(`${gitDirectory}/HEAD`)} ${stampOf(`${gitDirectory}/logs/HEAD`)}`;
    if (this.#known?.stamp === stamp) return this.#known.look;
    const repository = await BorrowedRepository.open(store.root, { program: git });
    if (repository === undefined) return null;
    try {
      const [listed, head] = await Promise.all([
        repository.run(["ls-files", "-s", "-z", "--full-name", ":/"]),
        repository.run(["log", "-1", "--format=%H"]).catch(() => "none\n"),
      ]);
      const entries = new Map<string, string>();
      for (const line of split(listed)) {
        const [, mode, object, stage, path] = /^(\d+) ([0-9a-f]+) (\d)\t([\s\S]*)$/.exec(line) ?? [];
        if (path === undefined || stage !== "0") return null;
        entries.set(path, `${mode} ${object}`);
      }
      const look = { head: head.trim(), entries };
      this.#known = { stamp, look };
      return look;
    } catch {
      // A repository that cannot be read has no index to put back; the files are undone all the same.
      return null;
    } finally {
      await repository.close();
    }
  }
}
