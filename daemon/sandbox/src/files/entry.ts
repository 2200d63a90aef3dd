import type { BigIntStats } from "node:fs";
import type { FileEntry } from "@muster/schema/wire";
import type { Directory } from "./inside/directory.ts";
import { pathFields, shownPath } from "./inside/path-bytes.ts";

/** What is told of a name. */
export async function entryOf(
  path: Buffer,
  found: BigIntStats,
  { directory, name }: { directory: Directory; name: Buffer | undefined },
): Promise<FileEntry> {
  const isLink = found.isSymbolicLink() && name !== undefined;
  return {
    ...pathFields(path),
    type: typeOf(found),
    size: Number(found.size),
    mode: (Number(found.mode) & 0o7777).toString(8).padStart(3, "0"),
    modifiedAt: new Date(Number(found.mtimeMs)).toISOString(),
    ...(isLink ? { target: shownPath(await directory.readLink(name)) } : {}),
    ...(found.isFile() ? { etag: etagOf(found) } : {}),
  };
}

export function typeOf(found: BigIntStats): FileEntry["type"] {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "directory";
  return found.isSymbolicLink() ? "link" : "other";
}

/** Another one whenever the content is: a file that is written is a new one, and one that is changed has a new time. */
export function etagOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `"${[ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join("-")}"`;
}
