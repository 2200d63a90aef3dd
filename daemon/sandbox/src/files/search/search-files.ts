import type { FileHandle } from "node:fs/promises";
import type { FileMatch } from "@muster/schema/wire";
import { type FileAnswer, type FileCall, pathOf } from "../file-call.ts";
import { openDirectoryAt } from "../inside/find-place.ts";
import { joinNames, shownPath } from "../inside/path-bytes.ts";
import { matchesGlob } from "../names/glob.ts";
import { openFile } from "../read-file.ts";
import { walkTree } from "../tree/walk-tree.ts";
import { findText } from "./find-text.ts";
import { RipgrepSearch } from "./ripgrep-search.ts";

const usualLimit = 200;

/** A file that is to be searched, open, with the path it is told by. */
export interface SearchedFile {
  readonly path: string;
  readonly file: FileHandle;
}

/** Where matches go; false when there are enough. */
export type TakeMatch = (match: FileMatch) => boolean;

/** The lines that hold a text. A regular expression is ripgrep's work: it takes no more time however it is made. */
export async function searchFiles({ reach, fields }: FileCall): Promise<FileAnswer> {
  const { query = "", regex = false, glob, ignored = false, limit = usualLimit } = fields;
  const { directory, path } = await openDirectoryAt(reach, pathOf(fields));
  const matches: FileMatch[] = [];
  let hasMore = false;
  const take: TakeMatch = (match) => {
    hasMore = matches.length === limit;
    if (!hasMore) matches.push(match);
    return !hasMore;
  };
  let ripgrep: RipgrepSearch | undefined;
  try {
    ripgrep = regex ? await RipgrepSearch.start(query, take) : undefined;
    const text = Buffer.from(query);
    for await (const entry of walkTree(directory, { isRecursive: true, leavesOut: !ignored })) {
      if (!entry.found.isFile() || !isWanted(glob, entry.names)) continue;
      const file = await openFile(entry.directory, entry.name).catch(() => undefined); // Gone, or not ours to read.
      if (file === undefined) continue;
      const searched = { path: shownPath(joinNames(entry.names)), file };
      if (await isBinary(file)) await file.close();
      else if (ripgrep !== undefined) await ripgrep.add(searched);
      else await findText(searched, text, take).finally(() => file.close());
      if (hasMore) break;
    }
    await ripgrep?.end();
    return { kind: "value", value: { directory: shownPath(path), matches, hasMore } };
  } finally {
    await ripgrep?.close();
    await directory.close();
  }
}

/** A pattern without a slash is that of a name, wherever it is. */
function isWanted(glob: string | undefined, names: readonly Buffer[]): boolean {
  if (glob === undefined) return true;
  const path = names.map((name) => name.toString("utf8"));
  const pattern = glob.split("/").filter((name) => name !== "");
  return matchesGlob(glob.includes("/") ? pattern : ["**", ...pattern], path);
}

async function isBinary(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(8192), 0, 8192, 0);
  return buffer.subarray(0, bytesRead).includes(0);
}
