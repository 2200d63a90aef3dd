import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { CreateSession, PermissionMode } from "@muster/schema";
import type { Fold } from "../session/fold.ts";
import type { PlainSettings } from "../session/secrets.ts";
import { makeFolder, syncDirectory, writeDurably } from "./durable-file.ts";

/** What was asked for, without secrets: those live in memory only, their names are stored. */
export type StoredSettings = Omit<CreateSession, "token" | "env" | "mcp" | "validateToken" | "permissionMode"> &
  PlainSettings & { directory: string; permissionMode: PermissionMode };

export interface SessionFile {
  format: 1;
  sessionId: string;
  createdAt: string;
  settings: StoredSettings;
  /** Tells whether a second create asks for the same thing. */
  digest: string;
  secretNames: string[];
  /** The fold at some sequence; a restore reads only the events after it. */
  checkpoint?: Fold;
}

export async function writeSessionFile(path: string, file: SessionFile): Promise<void> {
  await writeDurably(path, JSON.stringify(file));
}

/** The first write of a session: its folder and the name of the folder are made durable too. */
export async function createSessionFile(path: string, file: SessionFile): Promise<void> {
  await makeFolder(dirname(path));
  await writeSessionFile(path, file);
  await syncDirectory(dirname(dirname(path)));
}

/** undefined when there is no such session. */
export async function readSessionFile(path: string): Promise<SessionFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const file = JSON.parse(text) as SessionFile;
  if (file.format !== 1) throw new Error(`${path} has format ${String(file.format)}; this daemon reads format 1`);
  return file;
}
