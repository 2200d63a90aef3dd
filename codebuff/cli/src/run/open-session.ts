import {
  type CodebuffClient,
  SdkError,
  type Session,
  type SessionStore,
  type SessionWriter,
} from "@muster/codebuff-sdk";
import { CommandError } from "../exit-codes.ts";
import type { RunOptions } from "../run-options.ts";

/** The session of this command: a new one, or the one that `--continue` names. */
export async function openSession(
  client: CodebuffClient,
  options: RunOptions,
): Promise<{ session: Session; contextLost: boolean }> {
  const store = client.sessions();
  const { continues, keepOpen, sessionId, mode } = options;
  const begin = () => store.begin({ id: sessionId, mode });
  return told(async () => {
    if (continues === undefined) return { session: await begin(), contextLost: false };
    const id = await idOf(store, continues);
    if (id !== undefined && (await store.exists(id))) return { session: await store.continue(id), contextLost: false };
    if (keepOpen) return { session: await begin(), contextLost: true };
    throw notFound(id);
  });
}

/** Takes the pen of what `--continue` names, so that no other process writes it; nothing of it is read yet. */
export function holdSession(store: SessionStore, continues: Continued): Promise<SessionWriter> {
  return told(async () => {
    const id = await idOf(store, continues);
    if (id === undefined) throw notFound(id);
    return store.open(id);
  });
}

type Continued = NonNullable<RunOptions["continues"]>;

async function idOf(store: SessionStore, continues: Continued): Promise<string | undefined> {
  return continues === "latest" ? store.latest() : continues.id;
}

function notFound(id: string | undefined): SdkError {
  const message = id === undefined ? "There is no session in this directory yet" : `No session ${id}`;
  return new SdkError("session_not_found", message);
}

async function told<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof SdkError) throw new CommandError(error.message, { code: error.code });
    throw error;
  }
}
