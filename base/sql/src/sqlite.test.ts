import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type Words, words } from "../test/databases.ts";
import { isBusy } from "./busy.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { openSqlite } from "./sqlite.ts";
import { openSqliteFile } from "./sqlite-file.ts";

let folder: string;
let database: Database<Words>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "muster-sqlite-"));
  database = await openDatabase<Words>(`sqlite:${join(folder, "words.db")}`, words);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

it("what is committed together fails alone: the others hold, and nothing of the failed one stays", async () => {
  const add = (name: string, failure?: Error) =>
    database.write(async (connection) => {
      await connection.insertInto("word").values({ name, value: name }).execute();
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
  const rows = await database.db.selectFrom("word").select("name").orderBy("name").execute();
  expect(rows.map(({ name }) => name)).toEqual(["four", "one", "three"]);
});

it("while another has the file, whoever writes waits and whoever reads does not; the wait has an end", async () => {
  const path = join(folder, "words.db");
  const impatient = await openSqlite<Words>(path, 100);
  const other = await openSqliteFile(path);
  const add = (to: Database<Words>, name: string) =>
    to.write((connection) => connection.insertInto("word").values({ name, value: "" }).execute());
  const names = async () =>
    (await database.db.selectFrom("word").select("name").where("value", "=", "").execute()).map(({ name }) => name);
  try {
    other.exec("begin immediate");
    const inTransaction = add(database, "waits");
    const alone = database.db.insertInto("word").values({ name: "waits too", value: "" }).execute();
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
  const program = fileURLToPath(new URL("../test/open-sqlite-files.mjs", import.meta.url));
  const openers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      const lines = createInterface({ input: child.stdout });
      await once(lines, "line");
      return { child, lines };
    }),
  );
  const answers: unknown[] = [];
  for (let file = 0; file < 30; file++) {
    const opened = openers.map(({ lines }) => once(lines, "line"));
    for (const { child } of openers) child.stdin.write(`${join(folder, `new-${file}.db`)}\n`);
    answers.push(...(await Promise.all(opened)).flat());
  }
  expect(answers.filter((answer) => answer !== "opened")).toEqual([]);
  for (const { child } of openers) {
    const exited = once(child, "exit");
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
  }
});

it("what a process writes after it opened the file twice is there for others, also when one of them came and went", async () => {
  const path = join(folder, "twice.db");
  const first = await openSqliteFile(path);
  first.exec("create table line (text)");
  first.exec("insert into line values ('before')");
  const second = await openSqliteFile(path);
  const program = fileURLToPath(new URL("../test/read-sqlite-file.mjs", import.meta.url));
  const read = async () => {
    const child = spawn(process.execPath, [program, path], { stdio: ["ignore", "pipe", "inherit"] });
    return JSON.parse(await text(child.stdout)) as unknown;
  };
  expect(await read()).toEqual(["before"]);
  first.exec("insert into line values ('after')");
  expect(await read()).toEqual(["before", "after"]);
  first.close();
  second.close();
});

it.each(["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_BUSY_RECOVERY", "SQLITE_PROTOCOL"])(
  "%s is tried again, as Node says it too",
  (code) => {
    expect(isBusy(Object.assign(new Error(code), { code }))).toBe(true);
    const numbers = { SQLITE_BUSY: 5, SQLITE_BUSY_SNAPSHOT: 517, SQLITE_BUSY_RECOVERY: 261, SQLITE_PROTOCOL: 15 };
    const errcode = numbers[code as keyof typeof numbers];
    expect(isBusy(Object.assign(new Error(code), { code: "ERR_SQLITE_ERROR", errcode }))).toBe(true);
    expect(isBusy(Object.assign(new Error("full"), { code: "SQLITE_FULL" }))).toBe(false);
  },
);
