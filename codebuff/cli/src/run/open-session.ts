import { type CodebuffClient, SdkError, type Session } from "@muster/codebuff-sdk";
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
  try {
    if (continues === undefined) return { session: await begin(), contextLost: false };
    const id = continues === "latest" ? await store.latest() : continues.id;
    if (id !== undefined && (await store.exists(id))) return { session: await store.continue(id), contextLost: false };
    if (keepOpen) return { session: await begin(), contextLost: true };
    throw new SdkError(
      "session_not_found",
      id === undefined ? "There is no session in this directory yet" : `No session ${id}`,
    );
  } catch (error) {
    if (error instanceof SdkError) throw new CommandError(error.message, { code: error.code });
    throw error;
  }
}
