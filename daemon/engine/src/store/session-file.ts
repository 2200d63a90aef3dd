import { dirname } from "node:path";
import { readRegular, syncDirectory } from "@muster/node";
import type { Body, CreateSession, PermissionMode } from "@muster/schema/wire";
import type { Checkpoint } from "../checkpoint.ts";
import type { PlainSettings } from "../secrets/secrets.ts";
import { makeFolder, writeDurably } from "./durable-file.ts";

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
  /** The state at some sequence; a restore reads only the events after it. */
  checkpoint?: Checkpoint;
  /** A rewind whose files move: the log is told of it when they have. */
  pendingRewind?: Body<"session.rewound"> | undefined;
  /** What the log begins with after the events of another session, or with another agent, in case nobody came to write it. */
  pendingEvent?: { after: number; body: Body<"session.forked" | "agent.changed"> } | undefined;
  /** The sessions whose sealed segments this one's log shares. */
  ancestors?: readonly string[];
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

/** undefined when there is no such session. Throws where the file is not that of a session, or of this one. */
export async function readSessionFile(path: string, sessionId?: string): Promise<SessionFile | undefined> {
  let text: string;
  try {
    text = (await readRegular(path)).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const value: unknown = JSON.parse(text);
  const format = (value as SessionFile | null)?.format;
  if (format !== 1) throw new Error(`${path} has format ${String(format)}; this daemon reads format 1`);
  // Only here: a first start reads no session and need not pay for the schemas.
  const { damageOf, isCheckpoint } = await import("./session-file-form.ts");
  const damage = damageOf(value);
  if (damage !== undefined) throw new Error(`${path} is damaged: ${damage}`);
  const file = value as SessionFile;
  if (sessionId !== undefined && file.sessionId !== sessionId) {
    throw new Error(`${path} belongs to another session: ${file.sessionId}`);
  }
  // The log is the truth: a state that is no use is folded from it again.
  return isCheckpoint(file.checkpoint) ? file : { ...file, checkpoint: undefined };
}
