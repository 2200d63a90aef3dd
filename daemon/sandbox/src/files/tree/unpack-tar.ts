import { messageOf } from "@muster/core";
import { Failure } from "@muster/schema/wire";
import { deleteTree } from "../delete-file.ts";
import { makeFile } from "../draft.ts";
import type { Directory } from "../inside/directory.ts";
import { isAbsoluteBytes, isDotDot, joinNames, shownPath, splitPath } from "../inside/path-bytes.ts";
import type { ByteReader } from "./byte-reader.ts";
import { readTar, sparse } from "./read-tar.ts";
import { padded, type TarHeader } from "./tar-header.ts";
import { writeSparse } from "./write-sparse.ts";

export interface Unpacked {
  files: number;
  directories: number;
  links: number;
  bytes: number;
  /** What directories are to be like once everything is in them. */
  readonly directoryModes: Map<string, { names: readonly Buffer[]; mode: number }>;
}

const mostEntries = 1_000_000;
const mostBytes = 64 * 1024 ** 3;

/**
 * Unpacks an archive into an empty directory. Refused is whatever could lead out of it: names and links with `..`, links
 * from the root, second names of what did not come with it; and whatever is no file, directory or link.
 */
export async function unpackTar(reader: ByteReader, into: Directory): Promise<Unpacked> {
  const done: Unpacked = { files: 0, directories: 0, links: 0, bytes: 0, directoryModes: new Map() };
  let entries = 0;
  for await (const header of readTar(reader)) {
    if (++entries > mostEntries) throw refused(header, `is more than ${mostEntries} entries`);
    const names = namesOf(header);
    if (header.type === "5") await addDirectory(into, names, header, done);
    else {
      const name = names.at(-1);
      if (name === undefined) throw refused(header, "has no name");
      const directory = await openDown(into, names.slice(0, -1));
      try {
        await addName({ directory, name, names, into }, header, { reader, done });
      } finally {
        await directory.close();
      }
    }
  }
  return done;
}

interface Spot {
  readonly into: Directory;
  readonly directory: Directory;
  readonly name: Buffer;
  readonly names: readonly Buffer[];
}

async function addName(spot: Spot, header: TarHeader, { reader, done }: { reader: ByteReader; done: Unpacked }) {
  const { directory, name } = spot;
  switch (header.type) {
    case "0": {
      done.bytes += header.size;
      if (done.bytes > mostBytes) throw new Failure("body_too_large", `An archive holds at most ${mostBytes} bytes`);
      await makeRoom(directory, name, header);
      const file = await makeFile(directory, name);
      try {
        await writeSparse(file, reader.pieces(header.size), header.size);
        await file.chmod(header.mode & 0o777);
        await file.utimes(header.mtime, header.mtime);
      } finally {
        await file.close();
      }
      await reader.skip(padded(header.size) - header.size);
      done.files++;
      return;
    }
    case "2":
      checkTarget(spot, header);
      await makeRoom(directory, name, header);
      await directory.makeLink(name, header.target);
      done.links++;
      return;
    case "1":
      await addSecondName(spot, header);
      done.files++;
      return;
    case "S":
      throw sparse();
    default:
      throw refused(header, `is of the type ${JSON.stringify(header.type)}: no file, directory or link`);
  }
}

async function addDirectory(into: Directory, names: readonly Buffer[], header: TarHeader, done: Unpacked) {
  await (await openDown(into, names)).close();
  if (names.length === 0) return;
  done.directories++;
  done.directoryModes.set(joinNames(names).toString("latin1"), { names, mode: header.mode & 0o777 });
}

/** Another name of a file that came before. */
async function addSecondName({ into, directory, name }: Spot, header: TarHeader): Promise<void> {
  const names = insideNames(header.target);
  const other = names?.at(-1);
  if (names === undefined || other === undefined) throw refused(header, "is a second name of something outside");
  const above = await openDown(into, names.slice(0, -1));
  try {
    if (!(await above.find(other))?.isFile()) throw refused(header, "is a second name of no file that came before");
    if (joinNames(names).equals(joinNames(namesOf(header)))) return; // Of itself.
    await makeRoom(directory, name, header);
    await above.linkTo(other, directory, name);
  } finally {
    await above.close();
  }
}

/**
 * A link may first go up, no further than to where the archive begins, and then down. Up again behind a name is refused:
 * that name may be a link itself, and its `..` another one than the text says.
 */
function checkTarget({ names }: Spot, header: TarHeader): void {
  const { target } = header;
  if (target.length === 0 || isAbsoluteBytes(target) || target.includes(0))
    throw refused(header, "is a link to the root");
  const parts = splitInside(target);
  const up = parts.findIndex((part) => !isDotDot(part));
  const ups = up < 0 ? parts.length : up;
  if (ups > names.length - 1 || parts.slice(ups).some(isDotDot)) throw refused(header, "is a link that leads out");
}

/** What has the name from an earlier entry goes, never through a link; a directory stays. */
async function makeRoom(directory: Directory, name: Buffer, header: TarHeader): Promise<void> {
  const found = await directory.find(name);
  if (found === undefined) return;
  if (found.isDirectory()) throw refused(header, "was a directory before");
  await directory.unlink(name);
}

function namesOf(header: TarHeader): Buffer[] {
  const names = insideNames(header.name);
  if (names === undefined) throw refused(header, "leads out of the archive");
  if (names.some((name) => name.length > 255)) throw refused(header, "has a name of more than 255 bytes");
  return names;
}

/** The names of a path inside of the archive; undefined for one that is not. */
function insideNames(path: Buffer): Buffer[] | undefined {
  if (isAbsoluteBytes(path) || path.includes(0)) return undefined;
  const names = splitInside(path);
  return names.some(isDotDot) ? undefined : names;
}

function splitInside(path: Buffer): Buffer[] {
  try {
    return splitPath(path);
  } catch (error) {
    throw new Failure("archive_refused", `${shownPath(path.subarray(0, 100))}… is no path: ${messageOf(error)}`);
  }
}

/** Opens directories one in the other, made where they are missing. */
async function openDown(into: Directory, names: readonly Buffer[]): Promise<Directory> {
  let directory = await into.again();
  for (const name of names) {
    const above = directory;
    try {
      const found = await above.find(name);
      if (found === undefined) await above.makeDirectory(name, 0o700);
      else if (!found.isDirectory()) {
        throw new Failure(
          "archive_refused",
          `${shownPath(joinNames(names))} goes through something that is no directory`,
        );
      }
      directory = await above.openDirectory(name);
    } finally {
      await above.close();
    }
  }
  return directory;
}

function refused({ name }: TarHeader, why: string): Failure {
  return new Failure("archive_refused", `${shownPath(name)} ${why}`, { entry: shownPath(name) });
}

/** Removes what was unpacked, also of an archive that was refused. */
export async function removeUnpacked(above: Directory, name: Buffer): Promise<void> {
  if ((await above.find(name)) !== undefined) await deleteTree(above, name);
}
