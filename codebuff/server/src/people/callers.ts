import type { Database } from "../database/database.ts";
import { statement } from "../database/statement.ts";
import type { Connection, RunStatus } from "../database/tables.ts";
import { hashSecret } from "../secrets.ts";
import { type KnownUser, usersOfSessions } from "./sessions.ts";

/** Everything the gates want to know of whoever calls a model, read in one statement and anew for every call. */
export interface Caller extends KnownUser {
  /** The run the call belongs to, if it is this user's. */
  readonly runId: string | null;
  readonly runAgent: string | null;
  readonly runStatus: RunStatus | null;
  /** The subscription that holds now; its owner, which is this user. */
  readonly subscriber: string | null;
}

export async function findCallerBySecret(
  { db }: Database,
  secret: string,
  { runId, at }: { runId: string; at: number },
): Promise<Caller | undefined> {
  const [caller] = await bySecret(db, { hash: hashSecret(secret), runId, at });
  return caller;
}

/** For a connection that was opened with a key or a login: it may have ended since. */
export async function findCallerBySession(
  { db }: Database,
  sessionId: string,
  { runId, at }: { runId: string; at: number },
): Promise<Caller | undefined> {
  const [caller] = await bySession(db, { sessionId, runId, at });
  return caller;
}

const bySecret = statement((connection, given: { hash: string; runId: string; at: number }) =>
  callers(connection, given).where("session.token_hash", "=", given.hash).where("session.kind", "in", ["pat", "cli"]),
);

const bySession = statement((connection, given: { sessionId: string; runId: string; at: number }) =>
  callers(connection, given).where("session.id", "=", given.sessionId),
);

function callers(connection: Connection, { runId, at }: { runId: string; at: number }) {
  return usersOfSessions(connection, at)
    .leftJoin("agent_run", (join) => join.onRef("agent_run.user_id", "=", "user.id").on("agent_run.id", "=", runId))
    .leftJoin("subscription", (join) =>
      join
        .onRef("subscription.owner_id", "=", "user.id")
        .on("subscription.started_at", "<=", at)
        .on("subscription.ends_at", ">", at),
    )
    .select([
      "agent_run.id as runId",
      "agent_run.agent_name as runAgent",
      "agent_run.status as runStatus",
      "subscription.owner_id as subscriber",
    ]);
}
