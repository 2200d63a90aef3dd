import { expect, it } from "vitest";
import { accountOf, addPerson, grantsOf, onBothDatabases } from "../../../test/databases.ts";
import { reservation, settlement } from "../../../test/ledger/ledger-values.ts";
import { never } from "../../database/tables.ts";
import { reserve } from "../calls/reserve.ts";
import { settle } from "../calls/settle.ts";
import { audit } from "../ledger/audit.ts";
import { grant } from "./grant.ts";

onBothDatabases((open) => {
  it("the same grant twice grants once, also when both come at once", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u");
    const asked = { id: "g", ownerId, kind: "purchase" as const, units: 500, expiresAt: never, at: 1 };
    const made = await Promise.all([1, 2, 3, 4].map(() => grant(database, asked)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await accountOf(database, ownerId)).toEqual({ balance: 500, held: 0 });
    expect(await audit(database)).toEqual([]);
  });

  it("a new grant repays debt first", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 100);
    await reserve(database, reservation({ requestId: "r", ownerId, estimate: 1000 }));
    await settle(database, settlement({ requestId: "r", ownerId, cost: 400 }));
    expect(await accountOf(database, ownerId)).toEqual({ balance: -300, held: 0 });
    await grant(database, { id: "g", ownerId, kind: "free", units: 200, expiresAt: never, at: 30 });
    expect(await grantsOf(database, ownerId)).toEqual([
      { id: "g", remaining: 0 },
      { id: "first:u", remaining: -100 },
    ]);
    await grant(database, { id: "h", ownerId, kind: "free", units: 150, expiresAt: never, at: 31 });
    expect(await accountOf(database, ownerId)).toEqual({ balance: 50, held: 0 });
    expect(await audit(database)).toEqual([]);
  });

  it("nothing is granted in fractions, in negatives, or to nobody", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u");
    const asked = { id: "g", ownerId, kind: "admin" as const, units: 1, expiresAt: never, at: 1 };
    await expect(grant(database, { ...asked, units: 0.5 })).rejects.toThrow(RangeError);
    await expect(grant(database, { ...asked, units: -5 })).rejects.toThrow(RangeError);
    await expect(grant(database, { ...asked, ownerId: "nobody" })).rejects.toThrow("no credit account");
    expect(await grantsOf(database, ownerId)).toEqual([]);
  });

  it("entries are never changed or taken away", async () => {
    const database = await open();
    await addPerson(database, "u", 100);
    await expect(database.db.updateTable("credit_entry").set({ amount: 1 }).execute()).rejects.toThrow("append-only");
    await expect(database.db.deleteFrom("credit_entry").execute()).rejects.toThrow("append-only");
  });
});
