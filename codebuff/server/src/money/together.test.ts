import { creditsShown } from "@muster/metering";
import { expect, it } from "vitest";
import { accountOf, addPerson, onBothDatabases } from "../../test/databases.ts";
import { reservation, settlement } from "../../test/ledger/ledger-values.ts";
import { openDatabase } from "../database/open.ts";
import { newRun } from "../people/runs.ts";
import { reserve } from "./calls/reserve.ts";
import { settle } from "./calls/settle.ts";
import { lockAccount } from "./ledger/account.ts";
import { audit } from "./ledger/audit.ts";

const owners = Array.from({ length: 12 }, (_, n) => `u${n}`);
const requests = Array.from({ length: 240 }, (_, n) => ({
  requestId: `r${n}`,
  ownerId: owners[n % owners.length] ?? "",
  runId: `run-u${n % owners.length}`,
  cost: n * 7,
}));
const costOf = (ownerId: string) =>
  requests.filter((request) => request.ownerId === ownerId).reduce((sum, { cost }) => sum + cost, 0);

onBothDatabases((_open, newUrl) => {
  it("what comes at once to two instances is held once, charged once, and shown to the last credit", async () => {
    const url = await newUrl();
    const instances = [await openDatabase(url), await openDatabase(url)] as const;
    const [database] = instances;
    try {
      for (const id of owners) {
        await addPerson(database, id, 1_000_000);
        const run = newRun({ id: `run-${id}`, userId: id, agentId: "base2", ancestors: [], at: 1 });
        await database.db.insertInto("agent_run").values(run).execute();
      }
      const everywhere = <Result>(work: (on: (typeof instances)[number], n: number) => Promise<Result>) =>
        Promise.all(instances.flatMap((on) => requests.map((_, n) => work(on, n))));
      const held = await everywhere((on, n) => {
        const { requestId, ownerId, runId } = requests[n] ?? { requestId: "", ownerId: "", runId: "" };
        return reserve(on, reservation({ requestId, ownerId, runId, estimate: 10_000 }));
      });
      expect(held.filter(({ kind }) => kind === "held")).toHaveLength(requests.length);
      expect(held.filter(({ kind }) => kind === "known")).toHaveLength(requests.length);
      for (const id of owners) expect(await accountOf(database, id)).toEqual({ balance: 1_000_000, held: 200_000 });
      const settled = await everywhere((on, n) => {
        const { requestId, ownerId, cost } = requests[n] ?? { requestId: "", ownerId: "", cost: 0 };
        return settle(on, settlement({ requestId, ownerId, cost }));
      });
      expect(settled.filter(({ kind }) => kind === "charged")).toHaveLength(requests.length);
      for (const id of owners) {
        expect(await accountOf(database, id)).toEqual({ balance: 1_000_000 - costOf(id), held: 0 });
      }
      const shown = await database.db
        .selectFrom("message")
        .select(({ fn }) => ["user_id", fn.sum<number>("credits_shown").as("credits")])
        .groupBy("user_id")
        .execute();
      expect(Object.fromEntries(shown.map(({ user_id, credits }) => [user_id, Number(credits)]))).toEqual(
        Object.fromEntries(owners.map((id) => [id, creditsShown(0, costOf(id))])),
      );
      expect(await audit(database)).toEqual([]);
    } finally {
      for (const instance of instances) await instance.close();
    }
  });

  it("an account that somebody holds keeps nobody else waiting", async () => {
    const url = await newUrl();
    const database = await openDatabase(url);
    const other = await openDatabase(url);
    try {
      for (const id of ["held", "free"]) {
        await addPerson(database, id, 1000);
        await reserve(database, reservation({ requestId: id, ownerId: id }));
      }
      let letGo = () => {};
      let isHeld = () => {};
      const held = new Promise<void>((resolve) => {
        isHeld = resolve;
      });
      const end = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const holding = other.transaction("held", async (connection) => {
        await lockAccount(connection, "held");
        isHeld();
        await end;
      });
      await held;
      const waiting = settle(database, settlement({ requestId: "held", ownerId: "held", cost: 5 }));
      const going = settle(database, settlement({ requestId: "free", ownerId: "free", cost: 5 }));
      // SQLite has one lock for the whole file.
      if (database.kind === "postgres") expect(await going).toMatchObject({ charged: 5 });
      letGo();
      expect(await Promise.all([waiting, going])).toMatchObject([{ charged: 5 }, { charged: 5 }]);
      await holding;
      expect(await audit(database)).toEqual([]);
    } finally {
      await database.close();
      await other.close();
    }
  });
});
