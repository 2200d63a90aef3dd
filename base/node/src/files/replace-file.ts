import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "./directories.ts";

export interface ReplaceFileOptions {
  /** For the owner only, unless told otherwise. */
  mode?: number;
  /** Whether the new content survives a power loss once this resolves. */
  isDurable?: boolean;
}

/** Replaces a file in one step: readers and crashes see the old content or the new one, never a part of it. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, isDurable = false }: ReplaceFileOptions = {},
): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(content);
      if (isDurable) await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    if (isDurable) await syncDirectory(dirname(path));
  } catch (error) {
    // On a disk that takes nothing the draft cannot be removed either; why it could not be written is what counts.
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** Removes a file so that it stays removed after a power loss. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}
