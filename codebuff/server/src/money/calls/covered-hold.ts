import { rowSet, sql, statement, together } from "@muster/sql";
import type { Connection, Database, Tables } from "../../database/tables.ts";
import type { Reservation } from "./reserve.ts";

/**
 * What nearly every reservation is: a new request of an account that has enough for all its requests of this moment, none of
 * it expired, and that nobody else is changing. One statement for all on PostgreSQL, two on SQLite. False where it is not so,
 * and then nothing has changed for that account.
 */
export const holdCovered = together(async (database: Database, asks: readonly Reservation[]) => {
  // Of those that ask for the same request, the first is it.
  const byRequest = new Map(asks.toReversed().map((ask) => [ask.requestId, ask]));
  const rows = [...byRequest.values()].map((ask) => ({
    request_id: ask.requestId,
    owner_id: ask.ownerId,
    run_id: ask.runId,
    scope: ask.scope,
    amount: ask.estimate,
    instance_id: ask.instanceId,
    lease_until: ask.leaseUntil,
    dispatched_at: ask.dispatchedAt,
    input_estimate: ask.inputEstimate,
    created_at: ask.at,
  }));
  const held = await database.write((connection) => {
    const at = Math.max(...asks.map((ask) => ask.at));
    if (database.kind === "sqlite") return takeAndHold(connection, rows, at);
    return takeAndHoldAtOnce(connection, { rows: holds.pack(connection, rows), at });
  });
  const requestIds = new Set(held.map(({ request_id }) => request_id));
  return asks.map(({ requestId }) => requestIds.delete(requestId));
});

interface Given {
  readonly rows: string;
  readonly at: number;
}

/** What is known of a hold when it is made; the rest is the same for all of them. */
type HoldRow = Pick<
  Tables["credit_hold"],
  | "request_id"
  | "owner_id"
  | "run_id"
  | "scope"
  | "amount"
  | "instance_id"
  | "lease_until"
  | "dispatched_at"
  | "input_estimate"
  | "created_at"
>;

const holds = rowSet<HoldRow>({
  request_id: "text",
  owner_id: "text",
  run_id: "text",
  scope: "text",
  amount: "bigint",
  instance_id: "text",
  lease_until: "bigint",
  dispatched_at: "bigint",
  input_estimate: "bigint",
  created_at: "bigint",
});

const sameForAll = {
  columns: ["state", "covered", "output_checkpoint"],
  values: [sql.lit("open").as("state"), sql.lit(1).as("covered"), sql.lit(0).as("output_checkpoint")],
} as const;

async function takeAndHold(
  connection: Connection,
  rows: readonly HoldRow[],
  at: number,
): Promise<readonly Pick<HoldRow, "request_id">[]> {
  const taken = await take(connection, { rows: holds.pack(connection, rows), at });
  if (taken.length === 0) return [];
  const owners = new Set(taken.map(({ owner_id }) => owner_id));
  // Not by a join: SQLite would read the one list anew for every row of the other.
  const free = rows.filter(({ owner_id }) => owners.has(owner_id));
  await insert(connection, { rows: holds.pack(connection, free) });
  return free;
}

const take = statement((connection: Connection, given: Given) => takeCredits(connection, given));

const insert = statement((connection: Connection, { rows }: Pick<Given, "rows">) =>
  connection
    .insertInto("credit_hold")
    .columns([...holds.columns, ...sameForAll.columns])
    .expression(() =>
      connection
        .selectFrom(holds.table(connection, rows, "asked"))
        .selectAll("asked")
        .select(sameForAll.values),
    ),
);

/** PostgreSQL may change two tables in one statement: one way there and back. */
const takeAndHoldAtOnce = statement((connection: Connection, given: Given) =>
  connection
    .with("taken", () =>
      takeCredits(connection, given).where("credit_account.owner_id", "in", (from) =>
        // One that is locked is left to the whole recipe, which waits: nobody waits here, so there are no deadlocks.
        from
          .selectFrom("credit_account as free")
          .select("free.owner_id")
          .where("free.owner_id", "in", (each) =>
            each.selectFrom(holds.table(connection, given.rows, "asked")).select("asked.owner_id"),
          )
          .forUpdate()
          .skipLocked(),
      ),
    )
    .insertInto("credit_hold")
    .columns([...holds.columns, ...sameForAll.columns])
    .expression((from) =>
      from
        .selectFrom(holds.table(connection, given.rows, "asked"))
        .innerJoin("taken", "taken.owner_id", "asked.owner_id")
        .selectAll("asked")
        .select(sameForAll.values),
    )
    .returning("request_id"),
);

/** The lock and the change of the accounts in one, as far as their conditions hold. */
function takeCredits(connection: Connection, { rows, at }: Given) {
  return connection
    .updateTable("credit_account")
    .from((from) =>
      from
        .selectFrom(holds.table(connection, rows, "asked"))
        .select(["asked.owner_id", sql<number>`cast(sum(asked.amount) as bigint)`.as("units")])
        .groupBy("asked.owner_id")
        .as("wanted"),
    )
    .set({ version: sql`version + 1`, held: sql`held + wanted.units` })
    .whereRef("credit_account.owner_id", "=", "wanted.owner_id")
    .where(sql<boolean>`(wanted.units = 0 or balance - held >= wanted.units)`)
    .where("wanted.owner_id", "not in", (from) =>
      from
        .selectFrom(holds.table(connection, rows, "asked"))
        .innerJoin("credit_hold", "credit_hold.request_id", "asked.request_id")
        .select("asked.owner_id"),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("credit_grant")
            .select("id")
            .whereRef("credit_grant.owner_id", "=", "wanted.owner_id")
            .where("remaining", ">", 0)
            .where("credit_grant.expires_at", "<=", at),
        ),
      ),
    )
    .returning("credit_account.owner_id");
}
