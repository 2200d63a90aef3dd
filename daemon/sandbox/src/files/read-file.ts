import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { Failure } from "@muster/schema/wire";
import { etagOf } from "./entry.ts";
import { type FileAnswer, type FileCall, pathOf } from "./file-call.ts";
import type { Directory } from "./inside/directory.ts";
import { findPlace } from "./inside/find-place.ts";
import { shownPath } from "./inside/path-bytes.ts";
import { isNamed } from "./preconditions.ts";
import { rangeOf } from "./range.ts";

const pieceBytes = 256 * 1024;

/** The content of a file, or a part of it. */
export async function readFile({ reach, fields, headers }: FileCall): Promise<FileAnswer> {
  const asked = pathOf(fields);
  const place = await findPlace(reach, asked, { follows: true });
  let file: FileHandle | undefined;
  try {
    if (place.name === undefined) throw new Failure("not_a_file", `${shownPath(asked)} is a directory`);
    file = await openFile(place.directory, place.name);
    const found = await file.stat({ bigint: true });
    const size = Number(found.size);
    const etag = etagOf(found);
    const about = { etag, "accept-ranges": "bytes", "last-modified": new Date(Number(found.mtimeMs)).toUTCString() };
    if (headers.ifNoneMatch !== undefined && isNamed(headers.ifNoneMatch, etag)) {
      await file.close();
      return { kind: "bytes", status: 304, headers: { etag }, bytes: nothing() };
    }
    const range = rangeOf(headers.range, size);
    const { start, end } = range ?? { start: 0, end: size };
    const part: Record<string, string> =
      range === undefined ? {} : { "content-range": `bytes ${start}-${end - 1}/${size}` };
    return {
      kind: "bytes",
      status: range === undefined ? 200 : 206,
      headers: { ...about, ...part, "content-length": String(end - start) },
      bytes: bytesOf(file, start, end),
    };
  } catch (error) {
    await file?.close();
    throw error;
  } finally {
    await place.directory.close();
  }
}

/** Opens what is a file and nothing else; a pipe is neither waited for nor read. */
export async function openFile(directory: Directory, name: Buffer, flags = constants.O_RDONLY): Promise<FileHandle> {
  const file = await directory.open(name, flags);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Failure("not_a_file", `${shownPath(name)} is no file`);
}

/** The bytes from `start` to before `end`, of which the next piece is read while one is taken. Closes the file. */
export async function* bytesOf(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  const read = (at: number) => {
    const length = Math.min(pieceBytes, end - at);
    const piece = file.read(Buffer.allocUnsafeSlow(length), 0, length, at);
    // Its failure is thrown where it is awaited, unless nobody wants it any more.
    piece.catch(() => {});
    return piece;
  };
  let next: ReturnType<typeof read> | undefined;
  try {
    if (start < end) next = read(start);
    for (let at = start; at < end; ) {
      const { bytesRead, buffer } = await (next ?? read(at));
      if (bytesRead === 0) throw new Error("the file became shorter while it was read");
      at += bytesRead;
      next = at < end ? read(at) : undefined;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await next?.catch(() => {}); // A read under way must not meet another file under its number.
    await file.close();
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}
