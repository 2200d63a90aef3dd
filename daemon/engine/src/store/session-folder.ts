import { createHash } from "node:crypto";
import { sessionIdForm } from "@muster/schema/wire";

/** Longer names than this are refused by some disks once the log's own names are added. */
const longestName = 120;

/** A folder name no two ids share, also on disks that ignore case: capitals are written `=x`. */
export function sessionFolder(sessionId: string): string {
  const name = sessionId.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`);
  return name.length <= longestName ? name : `~${createHash("sha256").update(sessionId).digest("hex")}`;
}

/** The id a folder was named after; undefined where the name does not tell. */
export function sessionOfFolder(folder: string): string | undefined {
  const sessionId = folder.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return sessionIdForm.test(sessionId) && sessionFolder(sessionId) === folder ? sessionId : undefined;
}
