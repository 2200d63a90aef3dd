import { SdkError, type SessionStore, type SessionWriter } from "@muster/codebuff-sdk";
import { CommandError, exitCodes, wrongNames } from "../exit-codes.ts";
import type { RunOptions } from "../run-options.ts";

/** Takes the pen of what `--continue` names, so that no other process writes it; nothing of it is read yet. */
export function holdSession(
  store: SessionStore,
  continues: NonNullable<RunOptions["continues"]>,
): Promise<SessionWriter> {
  return asCommandError(async () => {
    const id = continues === "latest" ? await store.latest() : continues.id;
    if (id === undefined) throw new SdkError(notFound, "There is no session in this directory yet");
    return store.open(id);
  });
}

const notFound = "session_not_found";

export function isNotFound(error: unknown): boolean {
  return error instanceof CommandError && error.code === notFound;
}

/** A failure of the SDK with its code, for the command's last line. */
export async function asCommandError<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof SdkError) {
      const exitCode = wrongNames.has(error.code) ? exitCodes.usage : undefined;
      throw new CommandError(error.message, { code: error.code, exitCode });
    }
    throw error;
  }
}
