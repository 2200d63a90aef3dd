import type { Compilable, CompiledQuery, DialectAdapter } from "kysely";
import type { Connection } from "./database.ts";

/**
 * A query whose text is made once per database, for those that run often: to build and compile one takes
 * longer than SQLite takes to answer it. `given` holds the values of a single run; nothing else of the query may change.
 */
export function statement<Tables, Given extends object, Row>(
  build: (connection: Connection<Tables>, given: Given) => Compilable<Row>,
): (connection: Connection<Tables>, given: Given) => Promise<Row[]> {
  const known = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return async (connection, given) => {
    const { adapter } = connection.getExecutor();
    let compiled = known.get(adapter);
    if (compiled === undefined) {
      compiled = build(connection, placeholders as Given).compile();
      known.set(adapter, compiled);
      if (!statementNames.has(compiled.sql)) statementNames.set(compiled.sql, `kept_${statementNames.size}`);
    }
    const values = given as Record<string, unknown>;
    const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value));
    const { rows } = await connection.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}

/** By their text: PostgreSQL plans a statement with a name once per connection. */
export const statementNames = new Map<string, string>();

/** Stands in the query where a value of `given` will be. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy(
  {},
  {
    get: (_target, name) => new Placeholder(String(name)),
    ownKeys: () => {
      throw new TypeError("The values of a statement are named one by one");
    },
  },
);
