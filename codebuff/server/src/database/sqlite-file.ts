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
 * The time to wait for another process comes first: changing the journal mode needs the lock too. The log grows to 32 MiB
 * before it is moved into the file, because a busy ledger touches a thousand pages in a few commits.
 */
const settings = [
  "busy_timeout = 10000",
  "journal_mode = WAL",
  "synchronous = FULL",
  "foreign_keys = ON",
  "wal_autocheckpoint = 8000",
];

/** Node's own SQLite where there is one (22.13 and later), else libsql. */
export async function openSqliteFile(path: string): Promise<SqliteFile> {
  const file = (await openWithNode(path)) ?? (await openWithLibsql(path));
  for (const setting of settings) file.prepare(`pragma ${setting}`).all();
  return file;
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
