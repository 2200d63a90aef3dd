import type { BigIntStats } from "node:fs";
import { Failure } from "@muster/schema/wire";
import type { Reach, Root } from "../../access/roots.ts";
import { Directory } from "./directory.ts";
import { isAbsoluteBytes, isDotDot, joinNames, type Names, shownPath, splitPath } from "./path-bytes.ts";

/** Where a path leads: a name in an open directory, or a root itself. Closed by whoever asked. */
export interface Place {
  readonly directory: Directory;
  /** undefined: the directory itself, which is a root. */
  readonly name: Buffer | undefined;
  /** What is there; undefined where nothing is. */
  readonly found: BigIntStats | undefined;
  /** Absolute, with links resolved. */
  readonly path: Buffer;
  readonly root: Root;
}

export interface PlaceOptions {
  /** A link at the end of the path is followed, like those on the way. */
  readonly follows: boolean;
  /** Something will be changed there. */
  readonly changes?: boolean;
  /** Directories on the way that are missing are made. */
  readonly makesParents?: boolean;
}

const mostLinks = 40;

/**
 * Walks a path name by name, each in the open directory before it. Links are read and walked like any path: there is no
 * step that the system would take through one by itself, so one that is put in place meanwhile leads nowhere either.
 */
export async function findPlace(reach: Reach, asked: Buffer, options: PlaceOptions): Promise<Place> {
  if (!isAbsoluteBytes(asked) && !reach.isRelative) {
    throw new Failure("invalid_request", "Without a session a path is absolute");
  }
  const [first] = reach.roots;
  if (first === undefined) throw outside(asked);
  let { root, rest } = isAbsoluteBytes(asked) ? rootOf(reach, asked, asked) : { root: first, rest: splitPath(asked) };
  let links = 0;
  let done: Buffer[] = [];
  let directory = await openRoot(root, reach);
  const restart = async (next: { root: Root; rest: Buffer[] }) => {
    await directory.close();
    ({ root, rest } = next);
    done = [];
    directory = await openRoot(root, reach);
  };
  try {
    for (;;) {
      const name = rest.shift();
      if (name === undefined) {
        if (options.changes === true) mustBeWritable(root, asked);
        return { directory, name: undefined, found: await directory.stat(), path: Buffer.from(root.path), root };
      }
      if (isDotDot(name)) {
        if (done.length > 0) await restart({ root, rest: [...done.slice(0, -1), ...rest] });
        else await restart(rootOf(reach, joinNames([Buffer.from(`${root.path}/..`), ...rest]), asked));
        continue;
      }
      const isLast = rest.length === 0;
      const found = await directory.find(name);
      if (found?.isSymbolicLink() && (!isLast || options.follows)) {
        if (++links > mostLinks) throw new Failure("path_outside_roots", `The links of ${shownPath(asked)} go round`);
        const target = await directory.readLink(name);
        if (isAbsoluteBytes(target)) await restart(rootOf(reach, joinNames([target, ...rest]), asked));
        else rest = [...splitPath(target), ...rest];
        continue;
      }
      if (isLast) {
        if (options.changes === true) mustBeWritable(root, asked);
        const path = joinNames([Buffer.from(root.path === "/" ? "" : root.path), ...done, name]);
        return { directory, name, found, path, root };
      }
      if (found === undefined && options.makesParents === true) {
        mustBeWritable(root, asked);
        await directory.makeDirectory(name).catch(throwUnlessThere);
      }
      const above = directory;
      directory = await above.openDirectory(name);
      await above.close();
      done.push(name);
    }
  } catch (error) {
    await directory.close().catch(() => {}); // It may be closed already; why the path could not be walked is what counts.
    throw error;
  }
}

/** A directory, opened, by its path; a link to one is followed. */
export async function openDirectoryAt(
  reach: Reach,
  asked: Buffer,
): Promise<{ directory: Directory; path: Buffer; root: Root }> {
  const place = await findPlace(reach, asked, { follows: true });
  const { name, path, root } = place;
  if (name === undefined) return { directory: place.directory, path, root };
  try {
    if (place.found === undefined) throw new Failure("file_not_found", `There is no ${shownPath(asked)}`);
    if (!place.found.isDirectory()) throw new Failure("not_a_directory", `${shownPath(asked)} is no directory`);
    return { directory: await place.directory.openDirectory(name), path, root };
  } finally {
    await place.directory.close();
  }
}

async function openRoot(root: Root, reach: Reach): Promise<Directory> {
  try {
    return await Directory.openPath(splitPath(Buffer.from(root.path)), reach.denied);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["ENOTDIR", "ELOOP"].includes(code)) throw error;
    throw new Failure("path_outside_roots", `${root.path} is no directory any more: something else has its place`);
  }
}

/** The deepest root an absolute path is under, and the names below it. */
function rootOf(reach: Reach, absolute: Buffer, asked: Buffer): { root: Root; rest: Buffer[] } {
  const names = resolveDots(absolute);
  let best: { root: Root; rest: Buffer[]; length: number } | undefined;
  for (const root of reach.roots) {
    for (const start of [root.path, root.alias]) {
      if (start === undefined) continue;
      const above = splitPath(Buffer.from(start));
      if (!isBelow(above, names) || (best !== undefined && best.length >= above.length)) continue;
      best = { root, rest: names.slice(above.length), length: above.length };
    }
  }
  if (best === undefined) throw outside(asked);
  return best;
}

/** In an absolute path `..` takes back the name before it, as text: what is left is looked for below the roots. */
function resolveDots(absolute: Buffer): Buffer[] {
  const names: Buffer[] = [];
  for (const name of splitPath(absolute)) {
    if (isDotDot(name)) names.pop();
    else names.push(name);
  }
  return names;
}

function isBelow(above: Names, names: Names): boolean {
  return names.length >= above.length && above.every((name, index) => names[index]?.equals(name));
}

function mustBeWritable(root: Root, asked: Buffer): void {
  if (root.isReadOnly !== true) return;
  throw new Failure("path_outside_roots", `${shownPath(asked)} can only be read`);
}

function outside(asked: Buffer): Failure {
  const path = shownPath(asked);
  return new Failure("path_outside_roots", `${path} is not below a directory that may be reached`, { path });
}

function throwUnlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}
