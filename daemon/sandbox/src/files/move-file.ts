import { Failure } from "@muster/schema/wire";
import { entryOf } from "./entry.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import { findPlace, type Place } from "./inside/find-place.ts";
import { joinNames, shownPath } from "./inside/path-bytes.ts";

/** The two ends of a move or a copy, found; `act` does it. Where there is something, it is replaced only by a file. */
export async function betweenPlaces(
  { reach, fields }: FileCall,
  { keepsSource, act }: { keepsSource: boolean; act(from: Ends, to: Ends): Promise<void> },
): Promise<FileAnswer> {
  const [from, to] = [Buffer.from(fields.from ?? ""), Buffer.from(fields.to ?? "")];
  const source = await findPlace(reach, from, { follows: false, changes: !keepsSource });
  try {
    const target = await findPlace(reach, to, { follows: false, changes: true });
    try {
      if (source.name === undefined) throw new Failure("file_denied", `${shownPath(from)} is a root`);
      if (target.name === undefined) throw new Failure("file_exists", `${shownPath(to)} is a root`);
      if (source.found === undefined) throw new Failure("file_not_found", `There is no ${shownPath(from)}`);
      checkNotInside(source, target);
      checkMayReplace(source, target, fields.overwrite === true);
      await act({ ...source, name: source.name }, { ...target, name: target.name });
      const made = await target.directory.find(target.name);
      if (made === undefined) throw new Failure("file_not_found", `${shownPath(to)} was removed at once`);
      return { kind: "value", value: await entryOf(target.path, made, target) };
    } finally {
      await target.directory.close();
    }
  } finally {
    await source.directory.close();
  }
}

export interface Ends extends Place {
  readonly name: Buffer;
}

/** Moves a file, a link or a directory in one step. */
export function moveFile(call: FileCall): Promise<FileAnswer> {
  const isOverwriting = call.fields.overwrite === true;
  return betweenPlaces(call, {
    keepsSource: false,
    async act(from, to) {
      // Another process may have made the name since it was looked for: a second name cannot replace it, a move would.
      if (isOverwriting || from.found?.isDirectory()) return from.directory.rename(from.name, to.directory, to.name);
      const isRefused = await from.directory
        .linkTo(from.name, to.directory, to.name)
        .then(() => false, throwUnlessRefused);
      if (isRefused) await from.directory.rename(from.name, to.directory, to.name);
      else await from.directory.unlink(from.name);
    },
  });
}

/** Some disks know no second names, and some systems give none for a file of somebody else. */
function throwUnlessRefused(error: unknown): true {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (!["EPERM", "EOPNOTSUPP", "ENOTSUP", "EMLINK"].includes(code)) throw error;
  return true;
}

function checkMayReplace({ found: source }: Place, { found, path }: Place, overwrite: boolean): void {
  if (found === undefined || (overwrite && !found.isDirectory() && !source?.isDirectory())) return;
  throw new Failure("file_exists", `There is ${shownPath(path)} already`, { path: shownPath(path) });
}

function checkNotInside({ path, found }: Place, target: Place): void {
  const start = joinNames([path, Buffer.alloc(0)]);
  if (
    !found?.isDirectory() ||
    !Buffer.concat([target.path, Buffer.from("/")])
      .subarray(0, start.length)
      .equals(start)
  ) {
    return;
  }
  throw new Failure("invalid_request", `${shownPath(target.path)} is inside of ${shownPath(path)}`);
}
