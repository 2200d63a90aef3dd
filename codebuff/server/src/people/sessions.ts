import { randomUUID } from "node:crypto";
import type { Database } from "../database/database.ts";
import { type Connection, never, type Tables } from "../database/tables.ts";
import { hashSecret, newSecret } from "../secrets.ts";
import type { User } from "./users.ts";

type Session = Tables["session"];

export interface NewSession {
  readonly userId: string;
  readonly kind: Session["kind"];
  readonly name: string;
  readonly fingerprintId?: string | null;
  readonly expiresAt?: number;
  readonly at: number;
}

const prefixes: Readonly<Record<Session["kind"], string>> = { pat: "cb-pat-", cli: "cb-cli-", web: "cbs-" };

/** A key, a login of a terminal, or one of a browser. The secret is returned here and never again. */
export async function createSession(
  connection: Connection,
  { userId, kind, name, fingerprintId = null, expiresAt = never, at }: NewSession,
): Promise<{ id: string; secret: string }> {
  const secret = newSecret(prefixes[kind]);
  const id = randomUUID();
  await connection
    .insertInto("session")
    .values({
      id,
      token_hash: hashSecret(secret),
      user_id: userId,
      kind,
      name,
      fingerprint_id: fingerprintId,
      created_at: at,
      expires_at: expiresAt,
    })
    .execute();
  return { id, secret };
}

export interface KnownUser extends User {
  readonly sessionId: string;
}

/** Read anew for every request, so that a ban and a revoked key hold at once, on every instance. */
export function findUserBySecret(
  database: Database,
  secret: string,
  at: number,
  kinds: readonly Session["kind"][] = ["pat", "cli"],
): Promise<KnownUser | undefined> {
  return usersOfSessions(database, at)
    .where("session.token_hash", "=", hashSecret(secret))
    .where("session.kind", "in", kinds)
    .executeTakeFirst();
}

/** Who a session belongs to, as long as it lasts. */
export function findUserBySession(database: Database, id: string, at: number): Promise<KnownUser | undefined> {
  return usersOfSessions(database, at).where("session.id", "=", id).executeTakeFirst();
}

function usersOfSessions({ db }: Database, at: number) {
  return db
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.user_id")
    .selectAll("user")
    .select("session.id as sessionId")
    .where("session.expires_at", ">", at);
}
