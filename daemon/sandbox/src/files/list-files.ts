import type { FileEntry } from "@muster/schema/wire";
import { entryOf } from "./entry.ts";
import { type FileAnswer, type FileCall, pathOf } from "./file-call.ts";
import { openDirectoryAt } from "./inside/find-place.ts";
import { joinNames, shownPath, splitPath } from "./inside/path-bytes.ts";
import { walkTree } from "./tree/walk-tree.ts";

const usualLimit = 1000;

/** One page of what a directory holds. */
export async function listFiles({ reach, fields }: FileCall): Promise<FileAnswer> {
  const { directory, path } = await openDirectoryAt(reach, pathOf(fields));
  try {
    const { limit = usualLimit, recursive = false, ignored = true, after, afterBytes } = fields;
    const entries: FileEntry[] = [];
    let hasMore = false;
    const walk = walkTree(directory, {
      isRecursive: recursive,
      leavesOut: !ignored,
      after: splitPath(pathOf({ path: after ?? "", pathBytes: afterBytes })),
    });
    for await (const { names, found, directory: above, name } of walk) {
      hasMore = entries.length === limit;
      if (hasMore) break;
      entries.push(await entryOf(joinNames(names), found, { directory: above, name }));
    }
    return { kind: "value", value: { directory: shownPath(path), entries, hasMore } };
  } finally {
    await directory.close();
  }
}
