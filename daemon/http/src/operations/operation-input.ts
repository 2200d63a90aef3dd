import { Failure } from "@muster/schema/wire";
import type { ZodObject } from "zod";
import type { OperationTable } from "./operation-table.ts";

/** What an operation is called with: values of its schemas, empty where it has none. */
export interface OperationInput {
  params: unknown;
  query: unknown;
  body: unknown;
}

type Schemas = typeof import("@muster/schema");
let loaded: Schemas | undefined;

/** What an operation is called with, checked by the table's schemas: the first that has any loads them. */
export async function inputOf<Id extends string>(
  table: OperationTable<Id>,
  id: Id,
  given: { params: Record<string, unknown>; query: Record<string, string>; body(): unknown },
): Promise<OperationInput> {
  if (!table.rows[id].hasInput) return { params: {}, query: {}, body: {} };
  const found = table.schemasOf(id);
  const { params, query, body } = found instanceof Promise ? await found : found;
  loaded ??= await import("@muster/schema");
  const schemas = loaded;
  const { ticket: _, ...asked } = given.query;
  const check = (place: string, schema: ZodObject | undefined, value: unknown) =>
    checked(schemas, { place, schema, value });
  return {
    params: check("path", params, given.params),
    query: check("query", query, asked),
    body: body ? check("body", body, await given.body()) : {},
  };
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
