import type { Kysely } from "kysely";

export type DatabaseKind = "sqlite" | "postgres";

/** A connection, inside or outside of a transaction. */
export type Connection<Tables> = Kysely<Tables>;

/** One query code on both kinds; only transactions, locks and triggers differ. */
export interface Database<Tables> {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Tables>;
  /**
   * Runs `work` in a transaction and resolves after its commit. Work for the same owner waits in this process, so that a
   * busy account holds one connection and not all of them; without an owner it waits for nobody.
   */
  transaction<Result>(
    ownerId: string | undefined,
    work: (connection: Connection<Tables>) => Promise<Result>,
  ): Promise<Result>;
  /**
   * What needs no transaction on PostgreSQL, as it is one statement. On SQLite it shares a commit with whatever else waits.
   */
  write<Result>(work: (connection: Connection<Tables>) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
