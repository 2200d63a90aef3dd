import { expect, it } from "vitest";
import { accountOf, addPerson, onBothDatabases } from "../../../test/databases.ts";
import { reservation, settlement } from "../../../test/ledger/ledger-values.ts";
import { audit } from "../ledger/audit.ts";
import { reserve } from "./reserve.ts";
import { settle } from "./settle.ts";

onBothDatabases((open) => {
  it("holds the estimate, or what is left for one request at a time", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 250);
    const ask = (requestId: string, estimate: number) =>
      reserve(database, reservation({ requestId, ownerId, estimate }));
    expect(await ask("a", 100)).toEqual({ kind: "held", amount: 100, covered: true });
    expect(await ask("b", 200)).toEqual({ kind: "held", amount: 150, covered: false });
    expect(await ask("c", 10)).toEqual({ kind: "credits held" });
    await settle(database, settlement({ requestId: "a", ownerId, cost: 20 }));
    expect(await ask("d", 200), "a second uncovered one").toEqual({ kind: "credits held" });
    expect(await ask("e", 80)).toEqual({ kind: "held", amount: 80, covered: true });
    expect(await accountOf(database, ownerId)).toEqual({ balance: 230, held: 230 });
    expect(await audit(database)).toEqual([]);
  });

  it("refuses when nothing is left; what nobody pays for passes", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u");
    expect(await reserve(database, reservation({ requestId: "a", ownerId }))).toEqual({ kind: "no credits" });
    expect(await reserve(database, reservation({ requestId: "b", ownerId, estimate: 0 }))).toEqual({
      kind: "held",
      amount: 0,
      covered: true,
    });
  });

  it("a request is known by its id, open or closed", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 1000);
    const asked = reservation({ requestId: "a", ownerId });
    const answers = await Promise.all([1, 2, 3].map(() => reserve(database, asked)));
    expect(answers.map(({ kind }) => kind).sort()).toEqual(["held", "known", "known"]);
    await settle(database, settlement({ requestId: "a", ownerId, cost: 5 }));
    expect(await reserve(database, asked)).toEqual({ kind: "known", state: "settled" });
    expect(await accountOf(database, ownerId)).toEqual({ balance: 995, held: 0 });
  });

  it("100 at once never hold more than there is", async () => {
    const database = await open();
    const ownerId = await addPerson(database, "u", 1050);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => reserve(database, reservation({ requestId: `r${n}`, ownerId }))),
    );
    expect(answers.filter(({ kind }) => kind === "held")).toHaveLength(11);
    expect(await accountOf(database, ownerId)).toEqual({ balance: 1050, held: 1050 });
    expect(await audit(database)).toEqual([]);
  });
});
