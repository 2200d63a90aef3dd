import { createDeflateRaw } from "node:zlib";
import type { Bytes } from "../file-call.ts";
import { joinNames } from "../inside/path-bytes.ts";
import { bytesOf, openFile } from "../read-file.ts";
import { crc32 } from "./crc32.ts";
import { through } from "./through.ts";
import type { TreeEntry } from "./walk-tree.ts";
import { centralHeader, dataDescriptor, endOfDirectory, localHeader, type ZipEntry } from "./zip-headers.ts";

const slash = Buffer.from("/");

/** A tree as a zip archive, while it is walked: sizes stand behind each file, and in the list at the end. */
export async function* writeZip(entries: AsyncIterable<TreeEntry>): AsyncGenerator<Buffer> {
  const central: Buffer[] = [];
  let offset = 0;
  for await (const { names, found, directory, name } of entries) {
    const isDirectory = found.isDirectory();
    if (!isDirectory && !found.isFile() && !found.isSymbolicLink()) continue;
    const path = joinNames(names);
    const entry: ZipEntry = {
      name: isDirectory ? Buffer.concat([path, slash]) : path,
      mode: Number(found.mode),
      modified: new Date(Number(found.mtimeMs)),
      isDeflated: found.isFile(),
    };
    const counted = { crc: 0, size: 0, packed: 0 };
    const start = offset;
    const give = (piece: Buffer) => {
      offset += piece.length;
      return piece;
    };
    yield give(localHeader(entry));
    if (found.isSymbolicLink()) {
      const target = await directory.readLink(name);
      Object.assign(counted, { crc: crc32(target), size: target.length, packed: target.length });
      yield give(target);
    } else if (found.isFile()) {
      const file = await openFile(directory, name);
      try {
        const { size } = await file.stat();
        for await (const piece of deflated(bytesOf(file, 0, size), counted)) {
          counted.packed += piece.length;
          yield give(piece);
        }
      } finally {
        await file.close();
      }
    }
    yield give(dataDescriptor(counted));
    central.push(centralHeader(entry, counted, start));
  }
  const directory = Buffer.concat(central);
  yield directory;
  yield endOfDirectory({ entries: central.length, size: directory.length, offset });
}

function deflated(bytes: Bytes, counted: { crc: number; size: number }): AsyncGenerator<Buffer> {
  return through(createDeflateRaw({ level: 6 }), counting());

  async function* counting(): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      counted.crc = crc32(piece, counted.crc);
      counted.size += piece.length;
      yield piece;
    }
  }
}
