import { createGunzip } from "node:zlib";
import { Failure, type UploadedTree } from "@muster/schema/wire";
import type { CommitOrder } from "../commit-order.ts";
import { draftName } from "../draft.ts";
import { type Bytes, type FileAnswer, type FileCall, pathOf } from "../file-call.ts";
import type { Directory } from "../inside/directory.ts";
import { findPlace, type Place } from "../inside/find-place.ts";
import { shownPath } from "../inside/path-bytes.ts";
import { ByteReader } from "./byte-reader.ts";
import { checkMerge, mergeTree } from "./merge-tree.ts";
import { through } from "./through.ts";
import { removeUnpacked, type Unpacked, unpackTar } from "./unpack-tar.ts";

/** Unpacks an archive beside where it is to be, and puts it in place when all of it is sound. */
export async function uploadTree({ reach, fields }: FileCall, body: Bytes, order: CommitOrder): Promise<FileAnswer> {
  const asked = pathOf(fields);
  const place = await findPlace(reach, asked, { follows: true, changes: true });
  const { directory, name, found } = place;
  const draft = draftName();
  try {
    if (found !== undefined && !found.isDirectory()) {
      throw new Failure("not_a_directory", `${shownPath(asked)} is no directory`);
    }
    await directory.makeDirectory(draft, 0o700);
    const unpacked = await unpackInto(directory, draft, fields.format === "tar.gz" ? gunzipped(body) : body);
    await order.alone(shownPath(place.path), async () => {
      if (found === undefined && name !== undefined) {
        const made = await directory.openDirectory(draft);
        await made.setMode(0o777 & ~process.umask()).finally(() => made.close());
        await directory.rename(draft, directory, name);
      } else await putInto(place, draft);
      await setModes(place, unpacked);
    });
    const { files, directories, links, bytes } = unpacked;
    const value: UploadedTree = { path: shownPath(place.path), files, directories, links, bytes };
    return { kind: "value", value };
  } catch (error) {
    throw zlibFailure(error);
  } finally {
    await removeUnpacked(directory, draft);
    await directory.close();
  }
}

async function unpackInto(directory: Directory, draft: Buffer, body: Bytes): Promise<Unpacked> {
  const into = await directory.openDirectory(draft);
  const reader = new ByteReader(body);
  try {
    const unpacked = await unpackTar(reader, into);
    await reader.drain();
    return unpacked;
  } finally {
    await reader.close();
    await into.close();
  }
}

function gunzipped(body: Bytes): Bytes {
  return through(createGunzip(), body);
}

/** Into a directory that is there; a root holds its draft itself. */
async function putInto({ directory, name }: Place, draft: Buffer): Promise<void> {
  const from = await directory.openDirectory(draft);
  const to = name === undefined ? await directory.again() : await directory.openDirectory(name);
  try {
    await checkMerge(from, to, []);
    await mergeTree(from, to);
  } finally {
    await from.close();
    await to.close();
  }
}

/** The deepest first: a directory that may not be written is closed when everything is in it. */
async function setModes({ directory, name }: Place, { directoryModes }: Unpacked): Promise<void> {
  const top = name === undefined ? await directory.again() : await directory.openDirectory(name);
  try {
    const deepestFirst = [...directoryModes.values()].sort((one, other) => other.names.length - one.names.length);
    for (const { names, mode } of deepestFirst) {
      let open = await top.again();
      for (const part of names) {
        const above = open;
        open = await above.openDirectory(part).finally(() => above.close());
      }
      await open.setMode(mode).finally(() => open.close());
    }
  } finally {
    await top.close();
  }
}

function zlibFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !/^Z_/.test(String(error.code))) return error;
  return new Failure("archive_refused", `The archive is no gzip: ${error.message}`);
}
