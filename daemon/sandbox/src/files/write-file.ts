import { constants } from "node:fs";
import { Failure, type WrittenFile } from "@muster/schema/wire";
import type { CommitOrder } from "./commit-order.ts";
import { draftName, makeFile, writeAll } from "./draft.ts";
import { etagOf } from "./entry.ts";
import { type Bytes, type FileAnswer, type FileCall, pathOf } from "./file-call.ts";
import { findPlace, type Place } from "./inside/find-place.ts";
import { shownPath } from "./inside/path-bytes.ts";
import { checkPreconditions } from "./preconditions.ts";
import { openFile } from "./read-file.ts";

/** Writes a file whole or not at all: a draft beside it takes its name once it is on the disk. */
export async function writeFile(
  { reach, fields, headers }: FileCall,
  body: Bytes,
  order: CommitOrder,
): Promise<FileAnswer> {
  const asked = pathOf(fields);
  const makesParents = fields.parents === true;
  const place = await findPlace(reach, asked, { follows: true, changes: true, makesParents });
  const { directory, found } = place;
  const draft = draftName();
  try {
    const name = nameOf(place, asked);
    checkPreconditions(headers, await etagAt(place));
    const isNew = found === undefined;
    const mode =
      fields.mode === undefined ? (isNew ? undefined : Number(found.mode) & 0o777) : parseInt(fields.mode, 8);
    const file = await makeFile(directory, draft, mode ?? 0o666);
    try {
      await writeAll(file, body);
      if (mode !== undefined) await file.chmod(mode);
      if (!isNew && process.getuid?.() === 0) await file.chown(Number(found.uid), Number(found.gid));
      await file.datasync();
      await order.alone(shownPath(place.path), async () => {
        // A body may take hours.
        checkPreconditions(headers, await etagAt(place));
        if (headers.ifNoneMatch?.trim() === "*") await giveNewName(place, draft, name);
        else await directory.rename(draft, directory, name);
      });
      await syncNames(place);
      return written(place.path, await file.stat({ bigint: true }), isNew);
    } finally {
      await file.close();
    }
  } catch (error) {
    await directory.unlink(draft).catch(() => {}); // It may have its name already, or never have been there.
    throw error;
  } finally {
    await directory.close();
  }
}

const mostAppended = 32 * 1024 * 1024;

/** Adds to the end of a file in one write, so that a body that breaks off adds nothing. */
export async function appendFile({ reach, fields }: FileCall, body: Bytes, order: CommitOrder): Promise<FileAnswer> {
  const asked = pathOf(fields);
  const place = await findPlace(reach, asked, { follows: true, changes: true });
  try {
    const name = nameOf(place, asked);
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of body) {
      size += piece.length;
      if (size > mostAppended) {
        throw new Failure("body_too_large", `At most ${mostAppended} bytes are added at once`, { limit: mostAppended });
      }
      pieces.push(piece);
    }
    const { O_RDWR, O_APPEND, O_CREAT } = constants;
    const file =
      place.found === undefined
        ? await place.directory.open(name, O_RDWR | O_APPEND | O_CREAT, 0o666)
        : await openFile(place.directory, name, O_RDWR | O_APPEND);
    try {
      if (!(await file.stat()).isFile()) throw new Failure("not_a_file", `${shownPath(asked)} is no file`);
      await order.alone(shownPath(place.path), () => file.appendFile(Buffer.concat(pieces)));
      await file.datasync();
      return written(place.path, await file.stat({ bigint: true }), place.found === undefined);
    } finally {
      await file.close();
    }
  } finally {
    await place.directory.close();
  }
}

function nameOf({ name, found }: Place, asked: Buffer): Buffer {
  if (name === undefined || (found !== undefined && !found.isFile())) {
    throw new Failure("not_a_file", `${shownPath(asked)} is no file that could be written`);
  }
  return name;
}

/** Of what has the name at this moment. */
async function etagAt({ directory, name }: Place): Promise<string | undefined> {
  const found = name === undefined ? undefined : await directory.find(name);
  return found === undefined ? undefined : etagOf(found);
}

/** Where nothing has the name: also against those who do not ask the daemon. */
async function giveNewName({ directory, path }: Place, draft: Buffer, name: Buffer): Promise<void> {
  try {
    await directory.linkTo(draft, directory, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Failure("precondition_failed", `There is ${shownPath(path)} already`);
  }
  await directory.unlink(draft);
}

async function syncNames({ directory }: Place): Promise<void> {
  const itself = await directory.openItself();
  try {
    await itself.sync();
  } finally {
    await itself.close();
  }
}

function written(path: Buffer, found: Parameters<typeof etagOf>[0], created: boolean): FileAnswer {
  const etag = etagOf(found);
  const value: WrittenFile = { path: shownPath(path), created, size: Number(found.size), etag };
  return { kind: "value", status: created ? 201 : 200, headers: { etag }, value };
}
