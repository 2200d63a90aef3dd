import { type FileHandle, open } from "node:fs/promises";
import { linesBackward, linesForward } from "@muster/node";
import { SdkError } from "../sdk-error.ts";
import { parseEntry, parseHeader, type SessionEntry, type SessionHeader } from "./entries.ts";
import { sessionFile } from "./places.ts";

export interface SessionPage {
  /** In the order of the file. */
  readonly entries: readonly SessionEntry[];
  /** Give it to the next call to see what stands before; undefined at the beginning. */
  readonly before: number | undefined;
  /** Lines that could not be read. */
  readonly damaged: number;
}

export async function readHeader(folder: string, id: string): Promise<SessionHeader> {
  return withFile(folder, id, async (file) => {
    for await (const { text } of linesForward(file)) {
      const header = parseHeader(text);
      if (header !== undefined) return header;
      break;
    }
    throw new SdkError("session_damaged", `The first line of session ${id} cannot be read`);
  });
}

/** Every entry from the start. A line that cannot be read is told to `onDamage` and skipped. */
export async function* readEntries(folder: string, id: string, onDamage?: () => void): AsyncGenerator<SessionEntry> {
  const file = await openSession(folder, id);
  try {
    for await (const { offset, text } of linesForward(file)) {
      if (offset === 0) continue;
      const entry = parseEntry(text);
      if (entry !== undefined) yield entry;
      else onDamage?.();
    }
  } finally {
    await file.close();
  }
}

/** From the newest entry back, reading only as much as is taken. */
export async function* readEntriesBackward(folder: string, id: string): AsyncGenerator<SessionEntry> {
  const file = await openSession(folder, id);
  try {
    for await (const { offset, text } of linesBackward(file)) {
      if (offset === 0) return;
      const entry = parseEntry(text);
      if (entry !== undefined) yield entry;
    }
  } finally {
    await file.close();
  }
}

export interface PageOptions {
  readonly limit: number;
  /** The place an earlier page gave. */
  readonly before?: number;
  /** The page goes back to an entry of this type, at most ten times as far. */
  readonly beginsWith?: SessionEntry["type"];
}

/** The last entries of a session, or those before a place; a session of 50 MB costs no more than a small one. */
export async function readPage(
  folder: string,
  id: string,
  { limit, before, beginsWith }: PageOptions,
): Promise<SessionPage> {
  return withFile(folder, id, async (file) => {
    const entries: SessionEntry[] = [];
    let damaged = 0;
    for await (const { offset, text } of linesBackward(file, before)) {
      if (offset === 0) break;
      const entry = parseEntry(text);
      if (entry === undefined) {
        damaged++;
        continue;
      }
      const count = entries.push(entry);
      const isBeginning = beginsWith === undefined || entry.type === beginsWith || count >= limit * 10;
      if (count >= limit && isBeginning) return { entries: entries.reverse(), before: offset, damaged };
    }
    return { entries: entries.reverse(), before: undefined, damaged };
  });
}

async function withFile<Result>(
  folder: string,
  id: string,
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await openSession(folder, id);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

function openSession(folder: string, id: string): Promise<FileHandle> {
  return open(sessionFile(folder, id), "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw new SdkError("session_not_found", `No session ${id}`);
    throw error;
  });
}
