import { expect, it } from "vitest";
import { accountOf, addPerson, grantsOf, onBothDatabases } from "../../../test/databases.ts";
import { reservation, settlement } from "../../../test/ledger/ledger-values.ts";
import { reserve } from "../calls/reserve.ts";
import { settle } from "../calls/settle.ts";
import { audit } from "../ledger/audit.ts";
import { expire, ownersToExpire } from "./expire.ts";
import { grant } from "./grant.ts";

onBothDatabases((open) => {
  it("takes what has expired, once, and leaves the rest", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 100);
    await grant(database, { id: "old", ownerId, kind: "free", units: 70, expiresAt: 50, at: 1 });
    expect(await expire(database, ownerId, 49)).toBe(0);
    expect(await ownersToExpire(database, 50)).toEqual([ownerId]);
    expect(await Promise.all([expire(database, ownerId, 50), expire(database, ownerId, 50)])).toEqual([70, 0]);
    expect(await accountOf(database, ownerId)).toEqual({ balance: 100, held: 0 });
    expect(await ownersToExpire(database, 50)).toEqual([]);
    expect(await audit(database)).toEqual([]);
  });

  it("does not take what an open request holds", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u");
    await grant(database, { id: "old", ownerId, kind: "free", units: 70, expiresAt: 50, at: 1 });
    await reserve(database, reservation({ requestId: "r", ownerId, estimate: 60 }));
    expect(await expire(database, ownerId, 50)).toBe(10);
    await settle(database, settlement({ requestId: "r", ownerId, cost: 45 }));
    expect(await expire(database, ownerId, 50)).toBe(15);
    expect(await grantsOf(database, ownerId)).toEqual([{ id: "old", remaining: 0 }]);
    expect(await audit(database)).toEqual([]);
  });
});
