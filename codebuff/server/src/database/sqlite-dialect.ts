import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { Mutex } from "./mutex.ts";
import type { SqliteFile, SqliteStatement } from "./sqlite-file.ts";

/** kysely on one SQLite connection: whoever holds it has it alone, in the order of asking. */
export function sqliteDialect(file: SqliteFile): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class SqliteDriver implements Driver {
  readonly #file: SqliteFile;
  readonly #connection: SqliteConnection;
  readonly #mutex = new Mutex();

  constructor(file: SqliteFile) {
    this.#file = file;
    this.#connection = new SqliteConnection(file);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#mutex.lock();
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    this.#file.exec("begin immediate");
  }

  async commitTransaction(): Promise<void> {
    this.#file.exec("commit");
  }

  async rollbackTransaction(): Promise<void> {
    this.#file.exec("rollback");
  }

  async releaseConnection(): Promise<void> {
    this.#mutex.unlock();
  }

  async destroy(): Promise<void> {
    this.#file.close();
  }
}

/** More statements than the code has would mean texts built from values. */
const mostStatements = 500;

class SqliteConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#prepare(sql);
    if (givesRows.test(sql)) {
      const rows = statement.all(...parameters) as Row[];
      return { rows, numAffectedRows: BigInt(rows.length) };
    }
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  streamQuery(): never {
    throw new Error("Rows are not streamed from SQLite");
  }

  #prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#file.prepare(sql);
    if (this.#statements.size < mostStatements) this.#statements.set(sql, statement);
    return statement;
  }
}

const givesRows = /^\s*(?:select|with|pragma)\b|\breturning\b/i;
