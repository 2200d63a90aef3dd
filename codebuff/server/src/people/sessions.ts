import { randomUUID } from "node:crypto";
import { statement } from "@muster/sql";
import { type Connection, type Database, never, type Tables } from "../database/tables.ts";
import { hashSecret, newSecret } from "../secrets.ts";
import type { User } from "./users.ts";

type Session = Tables["session"];

export interface NewSession {
  readonly userId: string;
  readonly kind: Session["kind"];
  readonly name: string;
  /** Of a terminal its fingerprint; of a browser the id of the key it signed in with. */
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
export async function findUserBySecret(
  { db }: Database,
  secret: string,
  at: number,
  kinds: "keys" | "web" = "keys",
): Promise<KnownUser | undefined> {
  const [user] = await users[kinds](db, { hash: hashSecret(secret), at });
  return user;
}

const users = {
  keys: statement((connection: Connection, { hash, at }: { hash: string; at: number }) =>
    usersOfSessions(connection, at).where("token_hash", "=", hash).where("session.kind", "in", ["pat", "cli"]),
  ),
  web: statement((connection: Connection, { hash, at }: { hash: string; at: number }) =>
    usersOfSessions(connection, at)
      .where("token_hash", "=", hash)
      .where("session.kind", "=", "web")
      // A browser's sign-in ends with the key it was made with.
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("session as key")
            .select("key.id")
            .whereRef("key.id", "=", "session.fingerprint_id")
            .where("key.expires_at", ">", at),
        ),
      ),
  ),
};

/** One by one: a statement that is kept must not change when a newer instance adds a column. */
const userColumns = [
  "user.id",
  "user.email",
  "user.role",
  "user.banned",
  "user.fallback_to_credits",
  "user.free_units_per_month",
  "user.next_quota_reset",
  "user.created_at",
] as const;

/** Who a session belongs to, as long as it lasts. */
export function usersOfSessions(connection: Connection, at: number) {
  return connection
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.user_id")
    .select(userColumns)
    .select("session.id as sessionId")
    .where("session.expires_at", ">", at);
}
