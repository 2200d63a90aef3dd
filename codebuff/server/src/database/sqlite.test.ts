import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endChild, startChild } from "../../test/child-processes.ts";
import { isBusy } from "./busy.ts";
import { openDatabase } from "./open.ts";
import { openSqlite } from "./sqlite.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import type { Database } from "./tables.ts";

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "codebuff-sqlite-"));
  database = await openDatabase(`sqlite:${join(folder, "codebuff.db")}`);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

it("what is committed together fails alone: the others hold, and nothing of the failed one stays", async () => {
  const add = (name: string, failure?: Error) =>
    database.write(async (connection) => {
      await connection.insertInto("secret").values({ name, value: name }).execute();
      if (failure) throw failure;
      return name;
    });
  const results = await Promise.allSettled([
    add("one"),
    add("two", new Error("no")),
    add("three"),
    add("one"),
    add("four"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"]);
  const rows = await database.db.selectFrom("secret").select("name").orderBy("name").execute();
  expect(rows.map(({ name }) => name)).toEqual(["four", "one", "three"]);
});

it("while another has the file, whoever writes waits and whoever reads does not; the wait has an end", async () => {
  const path = join(folder, "codebuff.db");
  const impatient = await openSqlite(path, 100);
  const other = await openSqliteFile(path);
  const add = (to: Database, name: string) =>
    to.write((connection) => connection.insertInto("secret").values({ name, value: "" }).execute());
  const names = async () =>
    (await database.db.selectFrom("secret").select("name").where("value", "=", "").execute()).map(({ name }) => name);
  try {
    other.exec("begin immediate");
    const inTransaction = add(database, "waits");
    const alone = database.db.insertInto("secret").values({ name: "waits too", value: "" }).execute();
    await expect(add(impatient, "gives up")).rejects.toSatisfy(isBusy);
    expect(await names()).toEqual([]);
    other.exec("commit");
    await Promise.all([inTransaction, alone]);
    expect((await names()).sort()).toEqual(["waits", "waits too"]);
  } finally {
    other.close();
    await impatient.close();
  }
});

it("any number of processes may open a new file at once, every time", async () => {
  const program = fileURLToPath(new URL("../../test/open-sqlite-files.mjs", import.meta.url));
  const openers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const child = startChild(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
      const lines = createInterface({ input: child.stdout ?? process.stdin });
      await once(lines, "line");
      return { child, lines };
    }),
  );
  const answers: unknown[] = [];
  for (let file = 0; file < 30; file++) {
    const opened = openers.map(({ lines }) => once(lines, "line"));
    for (const { child } of openers) child.stdin?.write(`${join(folder, `new-${file}.db`)}\n`);
    answers.push(...(await Promise.all(opened)).flat());
  }
  expect(answers.filter((answer) => answer !== "opened")).toEqual([]);
  for (const { child } of openers) await endChild(child, "SIGTERM");
});
