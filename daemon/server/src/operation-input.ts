import { Failure, type Operation, type OperationId, plainIssue } from "@muster/schema";
import type { ZodObject } from "zod";
import type { RouteInput } from "./routes.ts";

/** What an operation is called with, checked by the table's schemas. */
export async function inputOf(
  { params, query, body }: Operation,
  given: { params: Record<string, unknown>; query: Record<string, string>; body(): unknown },
): Promise<RouteInput<OperationId>> {
  const { ticket: _, ...asked } = given.query;
  return {
    params: check("path", params, given.params),
    query: check("query", query, asked),
    body: body ? check("body", body, await given.body()) : {},
  } as RouteInput<OperationId>;
}

function check(place: string, schema: ZodObject | undefined, value: unknown): unknown {
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
