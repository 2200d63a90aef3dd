import { randomBytes } from "node:crypto";
import { chmod, writeFile } from "node:fs/promises";
import { readRegular } from "@muster/node";

const usable = /^[\w-]{43}\n?$/;

/**
 * What the keys of pages are signed with beside the token: with the token alone, whoever sees a key could try weak tokens
 * on it at home. Made once for a data directory, in a file only the user can read.
 */
export async function readPageSecret(path: string): Promise<string> {
  // Where there is none that is of use, a new one is made: the keys of before end, and a link gives the next.
  const kept = await readRegular(path).then(String, () => "");
  if (usable.test(kept)) {
    await chmod(path, 0o600);
    return kept.trim();
  }
  const secret = randomBytes(32).toString("base64url");
  // Where it cannot be kept (a full disk, a folder in its place), keys last as long as this process.
  await writeFile(path, `${secret}\n`, { mode: 0o600 }).catch(() => {});
  return secret;
}
