import { dirname } from "node:path";
import { readRegular } from "@muster/adapters";
import { type CreateSession, PermissionMode, SessionId } from "@muster/schema";
import { z } from "zod";
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
  const shape = Shape.safeParse(value);
  if (!shape.success) throw new Error(`${path} is damaged: ${z.prettifyError(shape.error)}`);
  if (sessionId !== undefined && shape.data.sessionId !== sessionId) {
    throw new Error(`${path} belongs to another session: ${shape.data.sessionId}`);
  }
  const file = value as SessionFile;
  // The log is the truth: a state that is no use is folded from it again.
  return Checkpoint.safeParse(file.checkpoint).success ? file : { ...file, checkpoint: undefined };
}

/** What everything else relies on; the rest was checked when it was asked for. */
const Shape = z.looseObject({
  sessionId: SessionId,
  createdAt: z.iso.datetime(),
  settings: z.looseObject({
    agent: z.string(),
    directory: z.string(),
    permissionMode: PermissionMode,
    env: z.record(z.string(), z.string()),
    mcp: z.record(z.string(), z.unknown()),
  }),
  digest: z.string(),
  secretNames: z.array(z.string()),
});
const Entries = z.record(z.string(), z.looseObject({}));
const Checkpoint = z.looseObject({
  sequence: z.int().nonnegative(),
  life: z.enum(["none", "open", "ended"]),
  settings: z.looseObject({}),
  turn: z.looseObject({ turnId: z.string() }).nullable(),
  items: Entries,
  questions: Entries,
  permissions: Entries,
  queue: z.array(z.looseObject({ messageId: z.string() })),
  messages: Entries,
  rules: z.array(z.unknown()),
  usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }),
  costUsd: z.number(),
  next: z.record(z.string(), z.number()),
  updatedAt: z.iso.datetime(),
});
