import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { dirname } from "node:path";

export interface GuardedTextOptions {
  /** A link in the place of the file, or of the directory it lies in, is followed or refused. */
  readonly links: "followed" | "refused";
  readonly mostBytes?: number;
}

/** A text somebody else may have put there, or why it is not read. Undefined: there is no such file. */
export async function readGuardedText(
  path: string,
  { links, mostBytes = 256 * 1024 }: GuardedTextOptions,
): Promise<{ readonly text: string } | { readonly refusal: string } | undefined> {
  if (links === "refused" && (await isLink(dirname(path)))) return { refusal: "its directory is a link" };
  const noFollow = links === "refused" ? constants.O_NOFOLLOW : 0;
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
    try {
      const found = await handle.stat();
      if (!found.isFile()) return { refusal: "it is no regular file" };
      if (found.size > mostBytes) return { refusal: `it is larger than ${mostBytes / 1024} KiB` };
      const user = process.getuid?.();
      if (user !== undefined && found.uid !== user && found.uid !== 0) return { refusal: "it belongs to another user" };
      return { text: await handle.readFile("utf8") };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return { refusal: code === "ELOOP" ? "it is a link" : `it cannot be read (${code})` };
  }
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
}
