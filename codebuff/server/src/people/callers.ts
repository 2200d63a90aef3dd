import { type JoinBuilder, rowSet, statement, together } from "@muster/sql";
import type { Connection, Database, RunStatus, Tables } from "../database/tables.ts";
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

export function findCallerBySecret(
  database: Database,
  secret: string,
  { runId, at }: { runId: string; at: number },
): Promise<Caller | undefined> {
  return bySecret(database, { hash: hashSecret(secret), runId, at });
}

const bySecret = together(async ({ db }: Database, asks: readonly { hash: string; runId: string; at: number }[]) => {
  const rows = asks.map(({ hash, runId }, place) => ({ place, hash, runId }));
  const at = Math.max(...asks.map((ask) => ask.at));
  const callers: (Caller | undefined)[] = asks.map(() => undefined);
  for (const { place, ...caller } of await bySecrets(db, { at, rows: asked.pack(db, rows) })) callers[place] = caller;
  return callers;
});

const asked = rowSet<{ place: number; hash: string; runId: string }>({ place: "int", hash: "text", runId: "text" });

const bySecrets = statement((connection: Connection, { rows, at }: { rows: string; at: number }) =>
  usersOfSessions(connection, at)
    .innerJoin(asked.table(connection, rows, "asked"), "asked.hash", "session.token_hash")
    .where("session.kind", "in", ["pat", "cli"])
    .leftJoin("agent_run", (join) =>
      join.onRef("agent_run.user_id", "=", "user.id").onRef("agent_run.id", "=", "asked.runId"),
    )
    .leftJoin("subscription", (join) => isActive(join, at))
    .select("asked.place")
    .select(callerColumns),
);

/** For a connection that was opened with a key or a login: it may have ended since. */
export async function findCallerBySession(
  { db }: Database,
  sessionId: string,
  { runId, at }: { runId: string; at: number },
): Promise<Caller | undefined> {
  const [caller] = await bySession(db, { sessionId, runId, at });
  return caller;
}

const bySession = statement(
  (connection: Connection, { sessionId, runId, at }: { sessionId: string; runId: string; at: number }) =>
    usersOfSessions(connection, at)
      .where("session.id", "=", sessionId)
      .leftJoin("agent_run", (join) => join.onRef("agent_run.user_id", "=", "user.id").on("agent_run.id", "=", runId))
      .leftJoin("subscription", (join) => isActive(join, at))
      .select(callerColumns),
);

const callerColumns = [
  "agent_run.id as runId",
  "agent_run.agent_name as runAgent",
  "agent_run.status as runStatus",
  "subscription.owner_id as subscriber",
] as const;

function isActive(join: JoinBuilder<Tables, "user" | "subscription">, at: number) {
  return join
    .onRef("subscription.owner_id", "=", "user.id")
    .on("subscription.started_at", "<=", at)
    .on("subscription.ends_at", ">", at);
}
