import { randomBytes } from "node:crypto";
import { link, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "@muster/node";
import type { Session } from "./session/session.ts";
import type { PreparedFork } from "./session/time-machine/prepare-fork.ts";
import type { Layout } from "./store/layout.ts";
import { type SessionFile, writeSessionFile } from "./store/session-file.ts";

/** The folder of a fork, whole or not there at all: made beside the sessions and put there in one step. */
export async function makeForkFolder(
  layout: Layout,
  source: Session,
  { file, prepared }: { file: SessionFile; prepared: PreparedFork },
): Promise<void> {
  const { sessionId, ancestors = [] } = file;
  const draft = join(layout.forks, randomBytes(8).toString("hex"));
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    await source.log.share(prepared.upTo, { directory: draft, sessionId, ancestors });
    await linkAttachments(layout.attachments(source.sessionId), join(draft, "attachments"));
    const pendingEvent = { after: prepared.upTo, body: prepared.body };
    await writeSessionFile(join(draft, "session.json"), { ...file, pendingEvent });
    await rename(draft, layout.session(sessionId));
    await syncDirectory(layout.sessions);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Messages of the prefix name them; they stay when the other session is deleted. */
async function linkAttachments(from: string, to: string): Promise<void> {
  // A session without attachments has no folder for them.
  const names = await readdir(from).catch((): string[] => []);
  if (names.length > 0) await mkdir(to, { mode: 0o711 });
  for (const name of names) await link(join(from, name), join(to, name)).catch(() => undefined);
}
