import { randomBytes } from "node:crypto";
import { chmod, readFile, writeFile } from "node:fs/promises";

/** The token made for this data directory, the same at every start, in a file only the user can read. */
export async function readToken(path: string): Promise<{ token: string; isNew: boolean }> {
  // There is none before the first start; one that cannot be read fails at the write below.
  const kept = (await readFile(path, "utf8").catch(() => "")).trim();
  if (kept !== "") {
    await chmod(path, 0o600);
    return { token: kept, isNew: false };
  }
  const token = randomBytes(32).toString("base64url");
  await writeFile(path, `${token}\n`, { mode: 0o600 });
  return { token, isNew: true };
}
