import { randomBytes } from "node:crypto";
import { chmod, writeFile } from "node:fs/promises";
import { readRegular } from "@muster/node";
import { Failure } from "@muster/schema/wire";

const usable = /^[\x21-\x7e]{16,}$/;

/** The token made for this data directory, the same at every start, in a file only the user can read. */
export async function readToken(path: string): Promise<{ token: string; isNew: boolean }> {
  const kept = (await readRegular(path).then(String, noneYet)).trim();
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

/** There is none before the first start. */
function noneYet(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw new Failure("invalid_request", `The token file cannot be read: ${error.message}`);
}
