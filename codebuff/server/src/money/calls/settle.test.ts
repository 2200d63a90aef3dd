import { expect, it } from "vitest";
import { accountOf, addPerson, grantsOf, onBothDatabases } from "../../../test/databases.ts";
import { reservation, settlement } from "../../../test/ledger/ledger-values.ts";
import { never } from "../../database/tables.ts";
import { newRun } from "../../people/runs.ts";
import { grant } from "../grants/grant.ts";
import { audit } from "../ledger/audit.ts";
import { reserve } from "./reserve.ts";
import { settle } from "./settle.ts";

onBothDatabases((open) => {
  it("charges once, however often and at once it is said", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 1000);
    await reserve(database, reservation({ requestId: "r", ownerId }));
    const asked = settlement({ requestId: "r", ownerId, cost: 60 });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => settle(database, asked)));
    expect(answers.filter(({ kind }) => kind === "charged")).toEqual([
      { kind: "charged", charged: 60, waived: 0, shown: 0 },
    ]);
    expect(await accountOf(database, ownerId)).toEqual({ balance: 940, held: 0 });
    expect(await audit(database)).toEqual([]);
  });

  it("spends by priority, then by expiry, then by age; the rest is debt of the last grant", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 10);
    const add = (id: string, kind: "free" | "purchase", expiresAt: number, at: number) =>
      grant(database, { id, ownerId, kind, units: 10, expiresAt, at });
    await add("late", "free", 2000, 1);
    await add("soon", "free", 1000, 2);
    await add("older", "purchase", never, 1);
    await add("newer", "purchase", never, 2);
    await reserve(database, reservation({ requestId: "r", ownerId }));
    await settle(database, settlement({ requestId: "r", ownerId, cost: 35 }));
    expect(await grantsOf(database, ownerId)).toEqual([
      { id: "soon", remaining: 0 },
      { id: "late", remaining: 0 },
      { id: "first:u", remaining: 0 },
      { id: "older", remaining: 5 },
      { id: "newer", remaining: 10 },
    ]);
    await reserve(database, reservation({ requestId: "s", ownerId }));
    await settle(database, settlement({ requestId: "s", ownerId, cost: 20 }));
    expect((await grantsOf(database, ownerId)).at(-1)).toEqual({ id: "newer", remaining: -5 });
    expect(await accountOf(database, ownerId)).toEqual({ balance: -5, held: 0 });
    expect(await audit(database)).toEqual([]);
  });

  it("a subscription's block never goes below zero: beyond it others pay, or nobody", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 100);
    await grant(database, { id: "block", ownerId, kind: "subscription", units: 50, expiresAt: 9999, at: 1 });
    await reserve(database, reservation({ requestId: "r", ownerId, scope: "subscription", estimate: 60 }));
    expect(await settle(database, settlement({ requestId: "r", ownerId, cost: 60 }))).toMatchObject({
      charged: 50,
      waived: 10,
    });
    await reserve(database, reservation({ requestId: "s", ownerId, estimate: 60 }));
    expect(await settle(database, settlement({ requestId: "s", ownerId, cost: 60 }))).toMatchObject({
      charged: 60,
      waived: 0,
    });
    expect(await grantsOf(database, ownerId)).toEqual([
      { id: "block", remaining: 0 },
      { id: "first:u", remaining: 40 },
    ]);
    expect(await audit(database)).toEqual([]);
  });

  it("the credits shown in a run add up to its rounded sum", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 1_000_000);
    const run = { id: "run", userId: ownerId, agentId: "base2", ancestors: [], at: 0 };
    await database.db.insertInto("agent_run").values(newRun(run)).execute();
    let shown = 0;
    for (let n = 0; n < 7; n++) {
      await reserve(database, reservation({ requestId: `r${n}`, ownerId, runId: "run" }));
      const settled = await settle(database, settlement({ requestId: `r${n}`, ownerId, cost: 400 }));
      shown += settled.kind === "charged" ? settled.shown : Number.NaN;
    }
    expect(shown).toBe(3);
    const after = await database.db.selectFrom("agent_run").select("billed_units").executeTakeFirstOrThrow();
    expect(after.billed_units).toBe(2800);
    expect(await audit(database)).toEqual([]);
  });

  it("another account's hold is not closed", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 100);
    const other = await addPerson(database, "other", 100);
    await reserve(database, reservation({ requestId: "r", ownerId, estimate: 50 }));
    expect(await settle(database, settlement({ requestId: "r", ownerId: other, cost: 5 }))).toEqual({
      kind: "closed before",
    });
    expect(await accountOf(database, ownerId)).toEqual({ balance: 100, held: 50 });
  });
});
