import { expect, it } from "vitest";
import { accountOf, addPerson, onBothDatabases } from "../../../test/databases.ts";
import { reservation, settlement } from "../../../test/ledger/ledger-values.ts";
import { audit } from "../ledger/audit.ts";
import { checkpointOutput, closeLost, renewLeases } from "./leases.ts";
import { release } from "./release.ts";
import { reserve } from "./reserve.ts";
import { settle } from "./settle.ts";

onBothDatabases((open) => {
  it("a request of an instance that is gone is given back, or charged with what is known", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 10_000);
    const ask = (requestId: string, instanceId: string, inputEstimate: number, dispatchedAt: number | null = 50) =>
      reserve(database, reservation({ requestId, ownerId, instanceId, inputEstimate, dispatchedAt, leaseUntil: 100 }));
    await ask("never-dispatched", "dead", 7, null);
    await ask("dispatched", "dead", 7);
    await ask("dear", "dead", 90);
    await ask("alive", "living", 7);
    await ask("given up", "living", 7, null);
    await checkpointOutput(database, [
      { requestId: "dispatched", units: 30 },
      { requestId: "dear", units: 30 },
    ]);
    await renewLeases(database, ["alive"], 500);
    expect(await Promise.all([closeLost(database, 200), closeLost(database, 200)])).toEqual(
      expect.arrayContaining([expect.objectContaining({ settled: expect.any(Number) })]),
    );
    // 37 for the one, no more than the 100 held for the other; the living one still holds its 100.
    expect(await accountOf(database, ownerId)).toEqual({ balance: 10_000 - 37 - 100, held: 100 });
    expect(await settle(database, settlement({ requestId: "dispatched", ownerId, cost: 99 }))).toEqual({
      kind: "closed before",
    });
    expect(await audit(database)).toEqual([]);
  });

  it("a release gives back once; the first close wins", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 1000);
    await reserve(database, reservation({ requestId: "r", ownerId }));
    const close = { requestId: "r", ownerId, closedBy: "test", at: 30 };
    expect((await Promise.all([release(database, close), release(database, close)])).sort()).toEqual([false, true]);
    expect(await settle(database, settlement({ requestId: "r", ownerId, cost: 5 }))).toEqual({ kind: "closed before" });
    expect(await accountOf(database, ownerId)).toEqual({ balance: 1000, held: 0 });
    expect(await audit(database)).toEqual([]);
  });
});
