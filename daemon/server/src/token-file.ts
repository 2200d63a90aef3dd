import { randomBytes } from "node:crypto";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { Failure } from "@muster/schema";

const usable = /^[\x21-\x7e]{16,}$/;

/** The token made for this data directory, the same at every start, in a file only the user can read. */
export async function readToken(path: string): Promise<{ token: string; isNew: boolean }> {
  // There is none before the first start; one that cannot be read fails at the write below.
  const kept = (await readFile(path, "utf8").catch(() => "")).trim();
  if (kept !== "") {
    if (!usable.test(kept)) {
      throw new Failure(
        "invalid_request",
        `The token file ${path} holds no token (16 ASCII characters or more). Remove it and a new one is made.`,
      );
    }
    await chmod(path, 0o600);
    return { token: kept, isNew: false };
  }
  const token = randomBytes(32).toString("base64url");
  await writeFile(path, `${token}\n`, { mode: 0o600 });
  return { token, isNew: true };
}
