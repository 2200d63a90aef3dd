import { joinNames } from "../inside/path-bytes.ts";
import { bytesOf, openFile } from "../read-file.ts";
import { padded, tarBlock, writeTarHeader } from "./tar-header.ts";
import type { TreeEntry } from "./walk-tree.ts";

const slash = Buffer.from("/");
const none = Buffer.alloc(0);

/** A tree as a tar archive, while it is walked. What is no file, directory or link is left out. */
export async function* writeTar(entries: AsyncIterable<TreeEntry>): AsyncGenerator<Buffer> {
  for await (const { names, found, directory, name } of entries) {
    const path = joinNames(names);
    const head = { mode: Number(found.mode) & 0o777, mtime: Number(found.mtimeMs / 1000n), size: 0, target: none };
    if (found.isDirectory()) yield writeTarHeader({ ...head, name: Buffer.concat([path, slash]), type: "5" });
    else if (found.isSymbolicLink()) {
      yield writeTarHeader({ ...head, name: path, type: "2", target: await directory.readLink(name) });
    } else if (found.isFile()) {
      const file = await openFile(directory, name);
      try {
        // Of the file that was opened: the name may be another's by now.
        const { size } = await file.stat();
        yield writeTarHeader({ ...head, name: path, type: "0", size });
        yield* bytesOf(file, 0, size);
        if (size % tarBlock !== 0) yield Buffer.alloc(padded(size) - size);
      } finally {
        await file.close();
      }
    }
  }
  yield Buffer.alloc(2 * tarBlock);
}
