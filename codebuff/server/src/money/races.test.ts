import { expect, it } from "vitest";
import { accountOf, addPerson, onBothDatabases } from "../../test/databases.ts";
import { reservation, settlement } from "../../test/ledger/ledger-values.ts";
import { seeded } from "../../test/random.ts";
import { openDatabase } from "../database/open.ts";
import { closeLost } from "./calls/leases.ts";
import { release } from "./calls/release.ts";
import { reserve } from "./calls/reserve.ts";
import { settle } from "./calls/settle.ts";
import { expire } from "./grants/expire.ts";
import { grant } from "./grants/grant.ts";
import { audit } from "./ledger/audit.ts";

onBothDatabases((_open, newUrl) => {
  it("usage, a lost lease, a release, an expiry and a new grant at the same moment on two instances: each hold closes once", async () => {
    const url = await newUrl();
    const instances = await Promise.all([openDatabase(url), openDatabase(url)]);
    const [database] = instances;
    try {
      const random = seeded(7);
      const owners = await Promise.all(Array.from({ length: 6 }, (_, n) => addPerson(database, `p${n}`, 5_000)));
      for (let round = 0; round < 12; round++) {
        const holds = owners.flatMap((ownerId) =>
          [0, 1].map((n) => ({ ownerId, requestId: `${ownerId}:${round}:${n}` })),
        );
        const input = { leaseUntil: 5, dispatchedAt: 5, estimate: 100, inputEstimate: 30 };
        const held = await Promise.all(holds.map((hold) => reserve(database, reservation({ ...hold, ...input }))));
        expect(held.every(({ kind }) => kind === "held")).toBe(true);
        const closes = holds.map((hold) => {
          const say = () => instances[random(2)] ?? database;
          const cost = random(150);
          return Promise.all([
            settle(say(), settlement({ ...hold, cost })).then((settled) =>
              settled.kind === "charged" ? [settled.charged] : [],
            ),
            settle(say(), settlement({ ...hold, cost })).then((settled) =>
              settled.kind === "charged" ? [settled.charged] : [],
            ),
            release(say(), { ...hold, closedBy: "test", at: 30 }).then((released) => (released ? [0] : [])),
          ]);
        });
        const [swept, ...closed] = await Promise.all([
          closeLost(instances[1] ?? database, 40),
          ...closes,
          ...owners.map((ownerId, n) =>
            grant(database, { id: `g:${round}:${n}`, ownerId, kind: "free", units: 50, expiresAt: 60, at: 40 }).then(
              () => [],
            ),
          ),
          ...owners.map((ownerId) => expire(instances[1] ?? database, ownerId, 70).then(() => [])),
        ]);
        const told = closed.flat().filter((one) => Array.isArray(one) && one.length > 0);
        expect(told.length + swept.released + swept.settled, "first close wins").toBe(holds.length);
        expect(await audit(database)).toEqual([]);
      }
      for (const ownerId of owners) expect((await accountOf(database, ownerId)).held).toBe(0);
    } finally {
      await Promise.all(instances.map((instance) => instance.close()));
    }
  });
});
