import type { BigIntStats } from "node:fs";
import { Failure } from "@muster/schema/wire";
import type { Directory } from "../inside/directory.ts";
import { IgnoreRules } from "./ignore-rules.ts";

/** A name below the directory where the walk began. Valid until the next one is asked for. */
export interface TreeEntry {
  /** From the beginning down to it. */
  readonly names: readonly Buffer[];
  readonly found: BigIntStats;
  readonly directory: Directory;
  readonly name: Buffer;
}

export interface WalkOptions {
  readonly isRecursive: boolean;
  /** What `.gitignore` names is left out. */
  readonly leavesOut: boolean;
  /** Begins behind this entry. */
  readonly after?: readonly Buffer[];
}

/** Every name in the order of their bytes, a directory before what is in it. One directory is open for each level. */
export function walkTree(directory: Directory, options: WalkOptions): AsyncGenerator<TreeEntry> {
  return walk(directory, { ...options, above: [], rules: IgnoreRules.none });
}

interface Level extends WalkOptions {
  readonly above: readonly Buffer[];
  readonly rules: IgnoreRules;
}

async function* walk(directory: Directory, level: Level): AsyncGenerator<TreeEntry> {
  const { isRecursive, leavesOut, above, after = [] } = level;
  const rules = leavesOut ? await level.rules.with(directory, above.length) : level.rules;
  const [first, ...deeper] = after;
  for (const name of await directory.names()) {
    const order = first === undefined ? 1 : Buffer.compare(name, first);
    if (order < 0) continue;
    const found = await directory.find(name);
    if (found === undefined) continue; // It has gone since its name was read.
    const names = [...above, name];
    if (leavesOut && rules.leaveOut(names, found.isDirectory())) continue;
    if (order > 0) yield { names, found, directory, name };
    if (!isRecursive || !found.isDirectory()) continue;
    const inner = await directory.openDirectory(name).catch(undefinedIfClosed);
    if (inner === undefined) continue;
    try {
      yield* walk(inner, { isRecursive, leavesOut, above: names, rules, after: order === 0 ? deeper : [] });
    } finally {
      await inner.close();
    }
  }
}

/** What may not be entered, or is no directory any more, is named and holds nothing for us. */
function undefinedIfClosed(error: unknown): undefined {
  if (error instanceof Failure && error.code === "path_outside_roots") return undefined;
  const { code = "" } = error as NodeJS.ErrnoException;
  if (!["ENOENT", "ENOTDIR", "ELOOP", "EACCES"].includes(code)) throw error;
  return undefined;
}
