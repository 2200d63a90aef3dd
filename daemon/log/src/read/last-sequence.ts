import type { FileHandle } from "node:fs/promises";
import { openRegular } from "@muster/node";
import { sequenceOf } from "../lines/check-lines.ts";
import { lastOfSeal } from "../lines/seal.ts";
import type { LogForm } from "../log-form.ts";
import { listSegments } from "../segments/segment-file.ts";

const newline = 10;
const firstLook = 4 * 1024;

/** The number of the last line in the files of a log at rest; undefined where they end in something else. */
export async function lastSequenceIn(
  directory: string,
  form: Pick<LogForm, "prefix" | "key" | "longest">,
): Promise<number | undefined> {
  const last = (await listSegments(directory, form.prefix)).at(-1);
  if (last === undefined) return 0;
  const handle = await openRegular(last.path);
  try {
    const { size } = await handle.stat();
    for (let length = firstLook; ; length *= 4) {
      const line = await lastLine(handle, size, Math.min(length, size));
      if (line !== undefined) return lastOfSeal(line) ?? sequenceOf(line, 0, form.key);
      if (length >= size || length > 2 * form.longest) return undefined;
    }
  } finally {
    await handle.close();
  }
}

/** The last line, if it begins within the last `length` bytes. */
async function lastLine(handle: FileHandle, size: number, length: number): Promise<Buffer | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, size - length);
  if (bytesRead < length || buffer[length - 1] !== newline) return undefined;
  const start = buffer.lastIndexOf(newline, length - 2);
  return start < 0 ? undefined : buffer.subarray(start + 1);
}
