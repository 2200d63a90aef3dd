import { expect, it } from "vitest";
import { onBothKinds, type Words, words } from "../test/databases.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { together } from "./together.ts";

onBothKinds(
  (url) => openDatabase<Words>(url, words),
  (open) => {
    it("what is asked at once goes together, in order; what fails, fails alone", async () => {
      const database = await open();
      const groups: number[] = [];
      const add = together(async ({ db }: Database<Words>, names: readonly string[]) => {
        groups.push(names.length);
        if (names.includes("no")) throw new Error("no");
        const rows = names.map((name) => ({ name, value: "" }));
        await db.insertInto("word").values(rows).execute();
        return names.map((name) => name.toUpperCase());
      });
      expect(await Promise.all(["a", "b", "c"].map((name) => add(database, name)))).toEqual(["A", "B", "C"]);
      expect(groups).toEqual([3]);
      const results = await Promise.allSettled(["d", "no", "a", "e"].map((name) => add(database, name)));
      expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
      expect(groups).toEqual([3, 4, 1, 1, 1, 1]);
      const kept = await database.db.selectFrom("word").select("name").orderBy("name").execute();
      expect(kept.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e"]);
    });
  },
);
