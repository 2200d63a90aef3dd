import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { untilFree } from "./until-free.ts";

/** The little of SQLite that we use; `node:sqlite` and `libsql` both have it. */
export interface SqliteFile {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  close(): void;
}

export interface SqliteStatement {
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): { changes: number | bigint };
}

/**
 * SQLite waits for another process as long as a commit takes, no longer: this process stands still meanwhile. The log grows
 * to 32 MiB before it is moved into the file, because a busy ledger touches a thousand pages in a few commits.
 */
const settings = [
  "busy_timeout = 20",
  "journal_mode = WAL",
  "synchronous = FULL",
  "foreign_keys = ON",
  "wal_autocheckpoint = 8000",
];

/** Node's own SQLite where there is one (22.13 and later), else libsql. */
export async function openSqliteFile(path: string): Promise<SqliteFile> {
  keepPrivate(path);
  const file = (await openWithNode(path)) ?? (await openWithLibsql(path));
  // Two that change the journal of a new file at once are in each other's way, and SQLite does not wait there at all.
  for (const setting of settings) await untilFree(() => file.prepare(`pragma ${setting}`).all());
  return file;
}

/**
 * Only its owner reads the file; SQLite gives its companions the same mode. One that is somebody else's stays as it is, and one
 * that is there is never opened here: a close gives up every lock this process has on it, and then another process that opens
 * and closes the file takes itself for the last, and removes the log that the first still writes.
 */
function keepPrivate(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (statSync(path).uid === process.getuid?.()) chmodSync(path, 0o600);
  }
}

async function openWithNode(path: string): Promise<SqliteFile | undefined> {
  // The types of Node 20 do not know the module; older Nodes do not have it.
  const name = "node:sqlite";
  const module = (await import(name).catch(() => undefined)) as
    | { DatabaseSync: new (path: string) => SqliteFile }
    | undefined;
  return module && new module.DatabaseSync(path);
}

async function openWithLibsql(path: string): Promise<SqliteFile> {
  const { default: Libsql } = await import("libsql");
  return new Libsql(path) as unknown as SqliteFile;
}
