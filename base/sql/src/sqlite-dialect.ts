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
import { type Patience, untilFree, waitABit } from "./until-free.ts";

/** kysely on one SQLite connection: whoever holds it has it alone, in the order of asking. */
export function sqliteDialect(file: SqliteFile, patienceMs?: number): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(file, patienceMs),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class SqliteDriver implements Driver {
  readonly #file: SqliteFile;
  readonly #connection: SqliteConnection;
  readonly #mutex = new Mutex();
  readonly #patience: Patience;

  constructor(file: SqliteFile, patienceMs: number | undefined) {
    this.#file = file;
    this.#patience = { patienceMs, pause: () => this.#letOthersGo() };
    this.#connection = new SqliteConnection(file, this.#patience);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#mutex.lock();
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    await untilFree(() => this.#file.exec("begin immediate"), this.#patience);
    this.#connection.isInTransaction = true;
  }

  async commitTransaction(): Promise<void> {
    this.#file.exec("commit");
    this.#connection.isInTransaction = false;
  }

  async rollbackTransaction(): Promise<void> {
    this.#connection.isInTransaction = false;
    this.#file.exec("rollback");
  }

  async releaseConnection(): Promise<void> {
    this.#mutex.unlock();
  }

  async destroy(): Promise<void> {
    this.#file.close();
  }

  /** Whoever waits for another process has begun nothing yet; who only reads need not wait with it. */
  async #letOthersGo(): Promise<void> {
    this.#mutex.unlock();
    await waitABit();
    await this.#mutex.lock();
  }
}

/** More statements than the code has would mean texts built from values. */
const mostStatements = 500;

class SqliteConnection implements DatabaseConnection {
  /** What runs outside of one is a transaction of its own, and may find the file taken. */
  isInTransaction = false;
  readonly #file: SqliteFile;
  readonly #patience: Patience;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(file: SqliteFile, patience: Patience) {
    this.#file = file;
    this.#patience = patience;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.isInTransaction ? this.#run(query) : untilFree(() => this.#run<Row>(query), this.#patience);
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
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
