import { rowSet, sql, statement } from "@muster/sql";
import type { Connection, Tables } from "../../database/tables.ts";
import type { Settlement } from "./settle.ts";

/** What one settlement changes. */
export interface Charge {
  readonly ask: Settlement;
  readonly hold: Pick<Tables["credit_hold"], "amount" | "scope" | "run_id">;
  /** Units by grant. */
  readonly taken: ReadonlyMap<string, number>;
  readonly charged: number;
  readonly waived: number;
}

interface Rows {
  readonly rows: string;
}

const ids = rowSet<{ id: string }>({ id: "text" });

export function openHolds(connection: Connection, asks: readonly Settlement[]) {
  return selectHolds(connection, {
    rows: ids.pack(
      connection,
      [...asks].map(({ requestId }) => ({ id: requestId })),
    ),
  });
}

const selectHolds = statement((connection: Connection, { rows }: Rows) =>
  connection
    .selectFrom("credit_hold")
    .select(["request_id", "owner_id", "amount", "scope", "run_id"])
    .where("request_id", "in", (from) => from.selectFrom(ids.table(connection, rows, "asked")).select("asked.id"))
    .where("state", "=", "open"),
);

/** Spent grants stay in the table for good; an index leaves them out. */
export function grantsInOrder(connection: Connection, ownerIds: Iterable<string>) {
  return selectGrants(connection, {
    rows: ids.pack(
      connection,
      [...ownerIds].map((id) => ({ id })),
    ),
  });
}

const selectGrants = statement((connection: Connection, { rows }: Rows) =>
  connection
    .selectFrom("credit_grant")
    .select(["id", "owner_id", "kind", "remaining"])
    .where("owner_id", "in", (from) => from.selectFrom(ids.table(connection, rows, "asked")).select("asked.id"))
    .where("remaining", "<>", 0)
    .orderBy("priority")
    .orderBy("expires_at")
    .orderBy("created_at")
    .orderBy("id"),
);

/** Entries, grants, holds, accounts and runs; returns what the runs have been billed by now. */
export async function writeCharges(
  connection: Connection,
  charges: readonly Charge[],
): Promise<ReadonlyMap<string, number>> {
  const taken = charges.flatMap(({ ask, taken: parts }) =>
    [...parts].map(([grant_id, units]) => ({
      operation_id: `charge:${ask.requestId}`,
      grant_id,
      owner_id: ask.ownerId,
      amount: -units,
      at: ask.at,
    })),
  );
  if (taken.length > 0) {
    await insertEntries(connection, { rows: entries.pack(connection, taken) });
    const byGrant = sums(
      taken,
      ({ grant_id }) => grant_id,
      ({ amount }) => amount,
    );
    await changeGrants(connection, {
      rows: grants.pack(
        connection,
        [...byGrant].map(([id, units]) => ({ id, units })),
      ),
    });
  }
  await changeHolds(connection, {
    rows: holds.pack(
      connection,
      charges.map(({ ask, charged, waived }) => ({
        request_id: ask.requestId,
        closed_by: ask.closedBy,
        closed_at: ask.at,
        cost: ask.cost,
        charged,
        waived,
      })),
    ),
  });
  const owner = ({ ask }: Charge) => ask.ownerId;
  const freed = sums(charges, owner, ({ hold }) => hold.amount);
  await changeAccounts(connection, {
    rows: accounts.pack(
      connection,
      [...sums(charges, owner, ({ charged }) => charged)].map(([id, units]) => ({
        id,
        units,
        freed: freed.get(id) ?? 0,
      })),
    ),
  });
  const ofRuns = charges.flatMap(({ ask, hold, charged }) =>
    hold.run_id === null ? [] : [{ id: hold.run_id, units: charged, at: ask.at }],
  );
  if (ofRuns.length === 0) return new Map();
  const lastAt = new Map<string, number>();
  for (const { id, at } of ofRuns) lastAt.set(id, Math.max(at, lastAt.get(id) ?? 0));
  const byRun = [
    ...sums(
      ofRuns,
      ({ id }) => id,
      ({ units }) => units,
    ),
  ];
  const billed = await changeRuns(connection, {
    rows: runs.pack(
      connection,
      byRun.map(([id, units]) => ({ id, units, at: lastAt.get(id) ?? 0 })),
    ),
  });
  return new Map(billed.map(({ id, billed_units }) => [id, billed_units]));
}

export async function writeMessages(
  connection: Connection,
  charges: readonly Charge[],
  shown: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = charges.map(({ ask, hold, charged }) => ({
    ...ask.call,
    id: ask.requestId,
    user_id: ask.ownerId,
    run_id: hold.run_id,
    units: charged,
    credits_shown: shown.get(ask.requestId) ?? 0,
    finished_at: ask.at,
  }));
  await insertMessages(connection, { rows: messages.pack(connection, rows) });
}

function sums<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  unitsOf: (item: Item) => number,
): Map<string, number> {
  const sum = new Map<string, number>();
  for (const item of items) sum.set(keyOf(item), (sum.get(keyOf(item)) ?? 0) + unitsOf(item));
  return sum;
}

const entries = rowSet<Omit<Tables["credit_entry"], "kind">>({
  operation_id: "text",
  grant_id: "text",
  owner_id: "text",
  amount: "bigint",
  at: "bigint",
});

const insertEntries = statement((connection: Connection, { rows }: Rows) =>
  connection
    .insertInto("credit_entry")
    .columns([...entries.columns, "kind"])
    .expression((from) =>
      from
        .selectFrom(entries.table(connection, rows, "asked"))
        .selectAll("asked")
        .select(sql.lit("charge").as("kind")),
    ),
);

const grants = rowSet<{ id: string; units: number }>({ id: "text", units: "bigint" });

const changeGrants = statement((connection: Connection, { rows }: Rows) =>
  connection
    .updateTable("credit_grant")
    .from(grants.table(connection, rows, "asked"))
    .set({ remaining: sql`remaining + asked.units` })
    .whereRef("credit_grant.id", "=", "asked.id"),
);

const holds = rowSet<{
  request_id: string;
  closed_by: string;
  closed_at: number;
  cost: number;
  charged: number;
  waived: number;
}>({ request_id: "text", closed_by: "text", closed_at: "bigint", cost: "bigint", charged: "bigint", waived: "bigint" });

const changeHolds = statement((connection: Connection, { rows }: Rows) =>
  connection
    .updateTable("credit_hold")
    .from(holds.table(connection, rows, "asked"))
    .set(({ ref }) => ({
      state: "settled",
      closed_by: ref("asked.closed_by"),
      closed_at: ref("asked.closed_at"),
      cost: ref("asked.cost"),
      charged: ref("asked.charged"),
      waived: ref("asked.waived"),
    }))
    .whereRef("credit_hold.request_id", "=", "asked.request_id"),
);

const accounts = rowSet<{ id: string; units: number; freed: number }>({ id: "text", units: "bigint", freed: "bigint" });

const changeAccounts = statement((connection: Connection, { rows }: Rows) =>
  connection
    .updateTable("credit_account")
    .from(accounts.table(connection, rows, "asked"))
    .set({ version: sql`version + 1`, balance: sql`balance - asked.units`, held: sql`held - asked.freed` })
    .whereRef("credit_account.owner_id", "=", "asked.id"),
);

const runs = rowSet<{ id: string; units: number; at: number }>({ id: "text", units: "bigint", at: "bigint" });

const changeRuns = statement((connection: Connection, { rows }: Rows) =>
  connection
    .updateTable("agent_run")
    .from(runs.table(connection, rows, "asked"))
    .set(({ ref }) => ({ billed_units: sql`billed_units + asked.units`, last_call_at: ref("asked.at") }))
    .whereRef("agent_run.id", "=", "asked.id")
    .returning(["agent_run.id", "agent_run.billed_units"]),
);

const messages = rowSet<Tables["message"]>({
  id: "text",
  user_id: "text",
  run_id: "text",
  client_id: "text",
  model: "text",
  provider: "text",
  service_id: "text",
  input_tokens: "bigint",
  cached_input_tokens: "bigint",
  output_tokens: "bigint",
  reasoning_tokens: "bigint",
  cost_nano_dollars: "bigint",
  cost_from: "text",
  units: "bigint",
  credits_shown: "bigint",
  own_key: "int",
  free: "int",
  outcome: "text",
  created_at: "bigint",
  finished_at: "bigint",
});

const insertMessages = statement((connection: Connection, { rows }: Rows) =>
  connection
    .insertInto("message")
    .columns(messages.columns)
    .expression((from) => from.selectFrom(messages.table(connection, rows, "asked")).selectAll("asked")),
);
