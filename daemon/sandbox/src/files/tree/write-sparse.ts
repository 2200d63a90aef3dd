import type { FileHandle } from "node:fs/promises";
import type { Bytes } from "../file-call.ts";

/** The smallest hole a file system of Linux makes. */
const blockBytes = 4096;
const zeros = Buffer.alloc(blockBytes);

/** Writes a new file of which long rows of zeros take no room on the disk. */
export async function writeSparse(file: FileHandle, bytes: Bytes, size: number): Promise<void> {
  let at = 0;
  for await (const piece of bytes) {
    for (const { start, end } of written(piece, at)) await writeWhole(file, piece.subarray(start, end), at + start);
    at += piece.length;
  }
  if (at !== size) throw new Error("the file became shorter while it was read");
  await file.truncate(size);
}

/** The parts of a piece that are no whole blocks of zeros; neighbours are written together. */
function* written(piece: Uint8Array, at: number): Generator<{ start: number; end: number }> {
  let start = 0;
  let end = 0;
  for (let from = 0; from < piece.length; ) {
    const to = Math.min(piece.length, from + blockBytes - ((at + from) % blockBytes));
    if (!isZero(piece.subarray(from, to))) {
      if (from !== end) {
        if (end > start) yield { start, end };
        start = from;
      }
      end = to;
    }
    from = to;
  }
  if (end > start) yield { start, end };
}

function isZero(block: Uint8Array): boolean {
  return block[0] === 0 && zeros.compare(block, 0, block.length, 0, block.length) === 0;
}

async function writeWhole(file: FileHandle, part: Uint8Array, at: number): Promise<void> {
  for (let from = 0; from < part.length; ) {
    const { bytesWritten } = await file.write(part, from, part.length - from, at + from);
    from += bytesWritten;
  }
}
