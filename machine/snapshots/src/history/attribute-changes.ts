import { dirname, join } from "node:path";
import { look } from "../look.ts";
import { type By, mergeAuthors, person } from "./author.ts";
import type { EntryChange } from "./entries.ts";
import type { PathChange } from "./points.ts";
import type { WorkSpans } from "./work-spans.ts";

/** Paths that a session is known to have written itself since the last look. */
export interface Edited {
  paths: readonly string[];
  by: By;
}

/**
 * Whose each change is. An edit tool knows its files. Anything else is of whoever was at work by the time the file was
 * changed last; where that were several it is of all of them, and none of them may take it back unasked.
 */
export function attributeChanges(
  changes: readonly EntryChange[],
  parts: { root: string; edited: readonly Edited[]; spans: WorkSpans },
): PathChange[] {
  const { root, edited, spans } = parts;
  const named = new Map<string, By[]>();
  for (const { paths, by } of edited) for (const path of paths) named.set(path, [...(named.get(path) ?? []), by]);
  return changes.map((change) => {
    const known = named.get(change.path);
    const by = known === undefined ? spans.candidates(timesOf(root, change, spans.lookedAt)) : mergeAuthors([known]);
    return { ...change, by: by.length === 0 ? [person] : by };
  });
}

/** Between when a change was made: a file that is new was not made before it was born. */
function timesOf(root: string, change: EntryChange, lookedAt: number): { from: number; at: number } {
  const at = changeTime(root, change, lookedAt);
  const born = change.before === null ? (look(join(root, change.path))?.birthtimeMs ?? 0) : 0;
  return { from: Math.min(born, at), at };
}

/**
 * When a path was changed last. One that is gone, or came with a directory that got another name, tells no time itself: the
 * directory does that was changed then.
 */
function changeTime(root: string, { path, after }: EntryChange, lookedAt: number): number {
  const file = join(root, path.endsWith("/") ? path.slice(0, -1) : path);
  for (let place = after === null ? dirname(file) : file; place.length >= root.length; place = dirname(place)) {
    const time = look(place)?.ctimeMs;
    if (time !== undefined && time >= lookedAt - clockTickMs) return time;
    if (place === root) break;
  }
  return Date.now();
}

/** File systems take their times from a clock that goes in steps of up to 10 ms. */
const clockTickMs = 12;
