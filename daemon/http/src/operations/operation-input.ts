import { Failure, headerOf } from "@muster/schema/wire";
import type { ZodObject } from "zod";
import type { OperationTable } from "./operation-table.ts";

/** What an operation is called with: values of its schemas, empty where it has none. */
export interface OperationInput {
  params: unknown;
  query: unknown;
  body: unknown;
  headers: unknown;
}

type GivenHeaders = Readonly<Record<string, unknown>>;

type Schemas = typeof import("@muster/schema");
let loaded: Schemas | undefined;

/** What an operation is called with, checked by the table's schemas: the first that has any loads them. */
export async function inputOf<Id extends string>(
  table: OperationTable<Id>,
  id: Id,
  given: { params: Record<string, unknown>; query: Record<string, string>; body(): unknown; headers: GivenHeaders },
): Promise<OperationInput> {
  const { hasInput, takesBytes } = table.rows[id];
  if (!hasInput) return { params: {}, query: {}, body: takesBytes ? await given.body() : {}, headers: {} };
  const found = table.schemasOf(id);
  const { params, query, body, headers } = found instanceof Promise ? await found : found;
  loaded ??= await import("@muster/schema");
  const schemas = loaded;
  const { ticket: _, ...asked } = given.query;
  const check = (place: string, schema: ZodObject | undefined, value: unknown) =>
    checked(schemas, { place, schema, value });
  return {
    params: check("path", params, given.params),
    query: check("query", query, asked),
    headers: check("header", headers, headers && pickHeaders(headers, given.headers)),
    // Last: bytes are not checked, and what is wrong with the rest is told before any of them is read.
    body: takesBytes ? await given.body() : body ? check("body", body, await given.body()) : {},
  };
}

/** Those that the operation reads, by the names of its fields. */
function pickHeaders({ shape }: ZodObject, headers: GivenHeaders): Record<string, unknown> {
  const picked = Object.keys(shape).map((field) => [field, headers[headerOf(field)]]);
  return Object.fromEntries(picked.filter(([, value]) => value !== undefined));
}

interface Given {
  readonly place: string;
  readonly schema: ZodObject | undefined;
  readonly value: unknown;
}

function checked({ plainIssue }: Schemas, { place, schema, value }: Given): unknown {
  if (!schema) return {};
  const result = strict(schema).safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => ({ path: issue.path.join("."), message: plainIssue(issue) }));
  const said = issues.map(({ path, message }) => (path === "" ? `it ${message}` : `${path} ${message}`)).join("; ");
  throw new Failure("invalid_request", `The ${place} is not valid: ${said}`, { issues });
}

const strictForms = new Map<ZodObject, ZodObject>();

/**
 * Unknown fields are refused: a misspelt option that is silently ignored is worse than an error. Kept, because a schema
 * is compiled at its first use (a fifth of a message's CPU when done for every request). A schema that says what
 * happens to other fields keeps its word.
 */
function strict(schema: ZodObject): ZodObject {
  const known = strictForms.get(schema);
  if (known !== undefined) return known;
  const made = schema.def.catchall === undefined ? schema.strict() : schema;
  strictForms.set(schema, made);
  return made;
}
