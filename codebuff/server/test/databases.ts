import { onBothKinds } from "../../../base/sql/test/databases.ts";
import { openDatabase } from "../src/database/open.ts";
import { type Database, never } from "../src/database/tables.ts";
import { grant } from "../src/money/grants/grant.ts";
import { openAccount } from "../src/money/ledger/account.ts";

/** The same tests on SQLite and on PostgreSQL; every call of the given function is a new empty database. */
export function onBothDatabases(tests: (open: () => Promise<Database>, newUrl: () => Promise<string>) => void): void {
  onBothKinds(openDatabase, tests);
}

/** A person with an account and, if asked for, credits from one grant. */
export async function addPerson(database: Database, id: string, units = 0): Promise<string> {
  await database.db
    .insertInto("user")
    .values({
      id,
      email: `${id}@example.com`,
      role: "user",
      banned: 0,
      fallback_to_credits: 1,
      free_units_per_month: 0,
      next_quota_reset: never,
      created_at: 0,
    })
    .execute();
  await openAccount(database.db, id);
  if (units > 0) {
    await grant(database, { id: `first:${id}`, ownerId: id, kind: "admin", units, expiresAt: never, at: 1 });
  }
  return id;
}

export const accountOf = ({ db }: Database, ownerId: string) =>
  db.selectFrom("credit_account").select(["balance", "held"]).where("owner_id", "=", ownerId).executeTakeFirstOrThrow();

/** Grants in the order in which they are spent. */
export const grantsOf = ({ db }: Database, ownerId: string) =>
  db
    .selectFrom("credit_grant")
    .select(["id", "remaining"])
    .where("owner_id", "=", ownerId)
    .orderBy("priority")
    .orderBy("expires_at")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
