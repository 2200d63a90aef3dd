import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every path below a directory: permissions and content of a file, target of a link, permissions of a directory. */
export type Copy = ReadonlyMap<string, string>;

/** Who may have made the changes between two copies; several where nobody can tell them apart. */
export interface Segment {
  before: Copy;
  after: Copy;
  /** Of every path that is not in `named`. */
  by: readonly string[];
  /** Written by an edit tool of one session. */
  named: ReadonlyMap<string, string>;
}

export interface Judgement {
  /** What each path has to be after the rewind, conflicts forced. */
  expected: Map<string, string | undefined>;
  conflicts: Set<string>;
}

export function copyOf(directory: string): Copy {
  const copy = new Map<string, string>();
  const visit = (path: string) => {
    for (const name of readdirSync(join(directory, path)).sort()) {
      const below = path === "" ? name : `${path}/${name}`;
      if (name === ".git") continue;
      const file = join(directory, below);
      const stat = lstatSync(file);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) copy.set(below, `link ${readlinkSync(file)}`);
      else if (stat.isDirectory()) {
        copy.set(`${below}/`, `directory ${mode}`);
        visit(below);
      } else copy.set(below, `${mode} ${readFileSync(file, "latin1")}`);
    }
  };
  visit("");
  return copy;
}

export function changedPaths(before: Copy, after: Copy): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort();
}

/**
 * The rule of a rewind, on copies alone: a file goes back to what it was, or to what others had made of it before the
 * session touched it; where others were there after the session it is a conflict.
 */
export function judgeByCopies(then: Copy, segments: readonly Segment[], session: string): Judgement {
  const now = segments.at(-1)?.after ?? then;
  const judgement: Judgement = { expected: new Map(), conflicts: new Set() };
  for (const path of new Set([...then.keys(), ...segments.flatMap(({ after }) => [...after.keys()])])) {
    if (path.endsWith("/")) continue;
    const changes = segments.filter(({ before, after }) => before.get(path) !== after.get(path));
    const whose = ({ by, named }: Segment) => (named.has(path) ? [named.get(path)] : by);
    const isMine = (segment: Segment) => whose(segment).includes(session);
    const isMineAlone = (segment: Segment) => isMine(segment) && whose(segment).length === 1;
    const first = changes.findIndex(isMine);
    if (first < 0) {
      judgement.expected.set(path, now.get(path));
      continue;
    }
    const target = first === 0 ? then.get(path) : changes[first]?.before.get(path);
    judgement.expected.set(path, target);
    if (target === now.get(path)) continue;
    const last = changes.findLastIndex(isMineAlone);
    const isLeftAlone = last >= 0 && now.get(path) === changes[last]?.after.get(path);
    // Between its own changes others may have been at it, as long as they left what they had found.
    const isInterrupted = changes.slice(first, last + 1).some((segment, at, all) => {
      return (
        !isMineAlone(segment) || (at > 0 && segment.before.get(path) !== lastOwn(all, at, isMineAlone)?.after.get(path))
      );
    });
    const isPutBack = changes.slice(first, last + 1).every((segment, at, all) => {
      return (
        !isMineAlone(segment) || at === 0 || segment.before.get(path) === lastOwn(all, at, isMineAlone)?.after.get(path)
      );
    });
    const isSound = isLeftAlone && isMineAlone(changes[first] as Segment) && (!isInterrupted || isPutBack);
    if (!isSound) judgement.conflicts.add(path);
  }
  return judgement;
}

function lastOwn(all: readonly Segment[], at: number, isOwn: (segment: Segment) => boolean): Segment | undefined {
  return all.slice(0, at).findLast(isOwn);
}
