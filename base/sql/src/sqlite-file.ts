import { closeSync, fchmodSync, fstatSync, openSync } from "node:fs";
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

/** Only its owner reads the file; SQLite gives its companions the same mode. One that is somebody else's stays as it is. */
function keepPrivate(path: string): void {
  const file = openSync(path, "a", 0o600);
  try {
    if (fstatSync(file).uid === process.getuid?.()) fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
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
