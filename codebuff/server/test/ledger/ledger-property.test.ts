import fc from "fast-check";
import { expect, it } from "vitest";
import type { Database } from "../../src/database/tables.ts";
import { release } from "../../src/money/calls/release.ts";
import { reserve } from "../../src/money/calls/reserve.ts";
import { settle } from "../../src/money/calls/settle.ts";
import { expire } from "../../src/money/grants/expire.ts";
import { grant } from "../../src/money/grants/grant.ts";
import { audit } from "../../src/money/ledger/audit.ts";
import { accountOf, addPerson, grantsOf, onBothDatabases } from "../databases.ts";
import { LedgerModel } from "./ledger-model.ts";
import { reservation, settlement } from "./ledger-values.ts";

interface Real {
  readonly database: Database;
  readonly ownerId: string;
}
type Command = fc.AsyncCommand<LedgerModel, Real>;

const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
const units = fc.integer({ min: 1, max: 300 });
const commands: fc.Arbitrary<Command>[] = [
  fc
    .record({
      name: fc.constantFrom("g", "h", "i", "j"),
      kind: fc.constantFrom("subscription" as const, "free" as const, "purchase" as const),
      units,
      life: fc.integer({ min: 1, max: 60 }),
    })
    .map(({ name, kind, units, life }) =>
      command(`grant ${name} ${kind} ${units} ${life}`, async (model, { database, ownerId }) => {
        const id = `${ownerId}:${name}`;
        const at = model.now;
        const made = await grant(database, { id, ownerId, kind, units, expiresAt: at + life, at });
        expect(made).toBe(model.grant(id, kind, units, at + life));
      }),
    ),
  fc
    .record({
      id,
      estimate: fc.integer({ min: 0, max: 300 }),
      scope: fc.constantFrom("all" as const, "subscription" as const),
    })
    .map(({ id, estimate, scope }) =>
      command(`reserve ${id} ${estimate} ${scope}`, async (model, { database, ownerId }) => {
        const requestId = `${ownerId}:${id}`;
        const asked = reservation({ requestId, ownerId, estimate, scope, at: model.now });
        expect((await reserve(database, asked)).kind).toBe(model.reserve(requestId, estimate, scope));
      }),
    ),
  fc
    .record({ id, cost: fc.integer({ min: 0, max: 400 }), times: fc.integer({ min: 1, max: 3 }) })
    .map(({ id, cost, times }) =>
      command(`settle ${id} ${cost} ×${times}`, async (model, { database, ownerId }) => {
        const requestId = `${ownerId}:${id}`;
        const asked = settlement({ requestId, ownerId, cost, at: model.now });
        const settled = await Promise.all(Array.from({ length: times }, () => settle(database, asked)));
        const charged = settled.flatMap((one) => (one.kind === "charged" ? [one.charged] : []));
        const expected = model.settle(requestId, cost);
        expect(charged).toEqual(expected === undefined ? [] : [expected]);
      }),
    ),
  id.map((id) =>
    command(`release ${id}`, async (model, { database, ownerId }) => {
      const requestId = `${ownerId}:${id}`;
      const released = await release(database, { requestId, ownerId, closedBy: "test", at: model.now });
      expect(released).toBe(model.release(requestId));
    }),
  ),
  fc.integer({ min: 1, max: 40 }).map((time) =>
    command(`wait ${time}, expire`, async (model, { database, ownerId }) => {
      model.now += time;
      await expire(database, ownerId, model.now);
      model.expire();
    }),
  ),
];

function command(name: string, run: (model: LedgerModel, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await run(model, real);
      model.now++;
      const account = await accountOf(real.database, real.ownerId);
      expect(account).toEqual({ balance: model.balance, held: model.held });
    },
  };
}

onBothDatabases((open) => {
  it("random operations leave exactly what the rules say, and the audit finds nothing", async () => {
    const database = await open();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 40 }), async (sequence) => {
        const ownerId = await addPerson(database, `p${++runs}`);
        const model = new LedgerModel();
        await fc.asyncModelRun(() => ({ model, real: { database, ownerId } }), sequence);
        const remaining = new Map((await grantsOf(database, ownerId)).map((row) => [row.id, row.remaining]));
        expect(remaining).toEqual(new Map(model.grants.map((row) => [row.id, row.remaining])));
      }),
      { numRuns: database.kind === "sqlite" ? 150 : 60 },
    );
    expect(await audit(database)).toEqual([]);
  });
});
