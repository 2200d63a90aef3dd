import { type AliasedRawBuilder, SqliteAdapter, sql } from "kysely";
import type { Connection } from "./database.ts";
import { plainText } from "./plain-text.ts";

type Value = string | number | null;

/** Any number of rows that a statement is given as one value, so that its text is the same for all numbers. */
export interface RowSet<Row> {
  readonly columns: readonly (keyof Row & string)[];
  /** The value. */
  pack<Tables>(connection: Connection<Tables>, rows: readonly Row[]): string;
  /** The table that a statement makes of it. */
  table<Tables, Name extends string>(
    connection: Connection<Tables>,
    packed: string,
    name: Name,
  ): AliasedRawBuilder<Row, Name>;
}

export function rowSet<Row extends { readonly [Column in keyof Row]: Value }>(
  types: Readonly<Record<keyof Row & string, "text" | "bigint" | "int">>,
): RowSet<Row> {
  const columns = Object.entries(types) as [keyof Row & string, string][];
  const names = columns.map(([name]) => name);
  return {
    columns: names,
    pack(connection, rows) {
      if (isSqlite(connection)) return JSON.stringify(rows.map((row) => names.map((name) => plain(row[name]))));
      return JSON.stringify(rows.map((row) => Object.fromEntries(names.map((name) => [name, plain(row[name])]))));
    },
    table(connection, packed, name) {
      if (isSqlite(connection)) {
        const fields = names.map((column, place) => sql`value ->> ${sql.lit(place)} as ${sql.id(column)}`);
        return sql<Row>`(select ${sql.join(fields)} from json_each(${packed}))`.as(name);
      }
      const fields = columns.map(([column, type]) => sql`${sql.id(column)} ${sql.raw(type)}`);
      return sql<Row>`json_to_recordset(${packed}::json)`.as(sql`${sql.id(name)} (${sql.join(fields)})`);
    },
  };
}

function plain(value: Value): Value {
  return typeof value === "string" ? plainText(value) : value;
}

export function isSqlite<Tables>(connection: Connection<Tables>): boolean {
  return connection.getExecutor().adapter instanceof SqliteAdapter;
}
