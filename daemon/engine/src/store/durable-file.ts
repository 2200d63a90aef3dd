import { randomBytes } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "@muster/schema/wire";
import { makeFolders } from "./make-folders.ts";

/** Replaces a file in one step: after a crash it holds either the old or the new content. Throws `storage_full`. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    // On a disk that takes nothing the rest cannot be removed either; why it could not be written is what counts.
    await rm(temporary, { force: true }).catch(() => {});
    throw storageFailure(error);
  }
}

/** Makes a folder only this user can enter. Throws `storage_full`. */
export async function makeFolder(path: string): Promise<void> {
  await makeFolders(path).catch((error: unknown) => {
    throw storageFailure(error);
  });
}

/** What a session needs at least to go on: its longest event. */
const enoughBytes = 1024 * 1024;

/** Whether the disk takes something again, found out by trying. */
export async function hasRoom(folder: string): Promise<boolean> {
  const path = `${folder}/room.tmp`;
  try {
    await writeDurably(path, Buffer.alloc(enoughBytes));
    await rm(path, { force: true });
    return true;
  } catch {
    // Whatever it is that the disk does not do, the session could not be written either.
    return false;
  }
}

/** Removes a file so that it stays removed. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/** Makes new and removed names of a directory survive a power loss. */
export async function syncDirectory(path: string): Promise<void> {
  let directory: FileHandle | undefined;
  try {
    directory = await open(path, "r");
    await directory.sync();
  } finally {
    await directory?.close();
  }
}

const full: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EFBIG"]);

/** A full or failing disk is nothing the caller can be blamed for, and no fault of ours either. */
function storageFailure(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return full.has(code)
    ? new Failure("storage_full", `The disk cannot be written: ${message}`, { reason: code })
    : error;
}
