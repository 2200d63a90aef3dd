import { createGzip } from "node:zlib";
import { type Bytes, type FileAnswer, type FileCall, pathOf } from "../file-call.ts";
import type { Directory } from "../inside/directory.ts";
import { openDirectoryAt } from "../inside/find-place.ts";
import { through } from "./through.ts";
import { walkTree } from "./walk-tree.ts";
import { writeTar } from "./write-tar.ts";
import { writeZip } from "./write-zip.ts";

/** A directory as an archive, made while it is sent. */
export async function downloadTree({ reach, fields }: FileCall): Promise<FileAnswer> {
  const { directory } = await openDirectoryAt(reach, pathOf(fields));
  const { format = "tar", ignored = true } = fields;
  const entries = walkTree(directory, { isRecursive: true, leavesOut: !ignored });
  const plain = format === "zip" ? writeZip(entries) : writeTar(entries);
  const bytes = format === "tar.gz" ? through(createGzip({ level: 6 }), plain) : plain;
  return { kind: "bytes", status: 200, headers: {}, bytes: thenClosed(bytes, directory) };
}

async function* thenClosed(bytes: Bytes, directory: Directory): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } finally {
    await directory.close();
  }
}
