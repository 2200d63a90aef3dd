import { expect, it } from "vitest";
import { accountOf, addPerson, onBothDatabases } from "../../../test/databases.ts";
import { audit } from "../ledger/audit.ts";
import { refreshQuota } from "./quota.ts";

onBothDatabases((open) => {
  it("the free credits of a month come once, expire with it, and keep to the end of short months", async () => {
    const database = await open();
    const id = await addPerson(database, "u");
    const january = Date.UTC(2027, 0, 31, 12);
    const { db } = database;
    await db.updateTable("user").set({ free_units_per_month: 500, next_quota_reset: january }).execute();
    const read = () => db.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const stale = await read();
    await Promise.all([1, 2, 3].map(() => refreshQuota(database, stale, january)));
    expect(await accountOf(database, id)).toEqual({ balance: 500, held: 0 });
    expect((await read()).next_quota_reset).toBe(Date.UTC(2027, 1, 28, 12));
    await refreshQuota(database, await read(), Date.UTC(2027, 1, 28, 12));
    expect(await accountOf(database, id)).toEqual({ balance: 500, held: 0 });
    await refreshQuota(database, await read(), Date.UTC(2027, 7, 1));
    expect(await accountOf(database, id), "months nobody asked in give nothing").toEqual({ balance: 500, held: 0 });
    expect(await audit(database)).toEqual([]);
  });
});
