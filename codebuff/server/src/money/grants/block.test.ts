import { expect, it } from "vitest";
import { accountOf, addPerson, onBothDatabases } from "../../../test/databases.ts";
import { reservation, settlement } from "../../../test/ledger/ledger-values.ts";
import { type Database, never } from "../../database/tables.ts";
import { reserve } from "../calls/reserve.ts";
import { settle } from "../calls/settle.ts";
import { audit } from "../ledger/audit.ts";
import { blockMs, blockState, openBlock } from "./block.ts";

const week = 7 * 24 * 60 * 60 * 1000;

async function subscribe(database: Database, ownerId: string): Promise<void> {
  await database.db
    .insertInto("subscription")
    .values({
      owner_id: ownerId,
      tier: "100",
      started_at: 0,
      ends_at: never,
      units_per_block: 420,
      units_per_week: 1000,
    })
    .execute();
}

async function spend(database: Database, ownerId: string, requestId: string, cost: number, at: number): Promise<void> {
  const asked = { requestId, ownerId, scope: "subscription" as const, estimate: 100, at };
  expect(await reserve(database, reservation(asked))).toMatchObject({ kind: "held" });
  await settle(database, settlement({ requestId, ownerId, cost, at }));
}

onBothDatabases((open) => {
  it("one block is open at a time; used up, the next opens when it has expired", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u");
    await subscribe(database, ownerId);
    const opened = await Promise.all([1, 2, 3].map(() => openBlock(database, ownerId, 1000)));
    expect(opened).toEqual(Array(3).fill({ kind: "open", remaining: 420, expiresAt: 1000 + blockMs }));
    await spend(database, ownerId, "a", 420, 2000);
    expect(await openBlock(database, ownerId, 3000)).toEqual({
      kind: "used up",
      limit: "block",
      resetsAt: 1000 + blockMs,
    });
    expect(await openBlock(database, ownerId, 1000 + blockMs)).toMatchObject({ kind: "open", remaining: 420 });
    expect(await audit(database)).toEqual([]);
  });

  it("the week limits the blocks, what was waived counts, and a new week begins at the billing day", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u");
    await subscribe(database, ownerId);
    await openBlock(database, ownerId, 0);
    await spend(database, ownerId, "a", 500, 10);
    await openBlock(database, ownerId, blockMs);
    await spend(database, ownerId, "b", 400, blockMs + 10);
    expect(await blockState(database.db, ownerId, 2 * blockMs)).toMatchObject({ kind: "open", remaining: 100 });
    expect(await openBlock(database, ownerId, 2 * blockMs)).toMatchObject({ kind: "open", remaining: 100 });
    await spend(database, ownerId, "c", 100, 2 * blockMs + 10);
    expect(await openBlock(database, ownerId, 3 * blockMs)).toEqual({ kind: "used up", limit: "week", resetsAt: week });
    expect(await openBlock(database, ownerId, week)).toMatchObject({ kind: "open", remaining: 420 });
    expect(await accountOf(database, ownerId)).toEqual({ balance: 420, held: 0 });
    expect(await audit(database)).toEqual([]);
  });

  it("nobody without a subscription gets a block", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 10);
    expect(await openBlock(database, ownerId, 0)).toEqual({ kind: "no subscription" });
    expect(await accountOf(database, ownerId)).toEqual({ balance: 10, held: 0 });
  });
});
