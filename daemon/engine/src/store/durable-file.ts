import { rm } from "node:fs/promises";
import { makeDirectories, replaceFile } from "@muster/node";
import { storageFailure } from "@muster/schema/wire";

/** Replaces a file in one step: after a crash it holds either the old or the new content. Throws `storage_full`. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  await replaceFile(path, content, { isDurable: true }).catch((error: unknown) => {
    throw storageFailure(error);
  });
}

/** Makes a folder only this user can enter. Throws `storage_full`. */
export async function makeFolder(path: string): Promise<void> {
  await makeDirectories(path).catch((error: unknown) => {
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
