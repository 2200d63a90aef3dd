import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { Bytes } from "./file-call.ts";
import type { Directory } from "./inside/directory.ts";

/** A name that nobody has: of what is not finished yet. */
export function draftName(): Buffer {
  return Buffer.from(`.muster-${randomBytes(8).toString("hex")}.tmp`);
}

/** A new file, for its owner alone until it is given its mode. */
export function makeFile(directory: Directory, name: Buffer, mode = 0o600): Promise<FileHandle> {
  return directory.open(name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, mode);
}

/** Writes all of it, where it stands; resolves with the number of bytes. */
export async function writeAll(file: FileHandle, bytes: Bytes): Promise<number> {
  let at = 0;
  for await (const piece of bytes) {
    let from = 0;
    while (from < piece.length) {
      const { bytesWritten } = await file.write(piece, from, piece.length - from, at);
      from += bytesWritten;
      at += bytesWritten;
    }
  }
  return at;
}
