import type { OperationId, Params, Query, RequestBody, UiChunk, UniversalEvent } from "@muster/schema";
import type { RequestParts } from "./connection/connection.ts";
import { operations } from "./connection/generated/operations.ts";
import type { OperationRow } from "./connection/operation-row.ts";
import type { CallId, CallOptions, Empty, Result, StreamId, UiId } from "./operation-types.ts";

/** The fields of path, query and body side by side, as on the command line; the table knows where each belongs. */
type Fields<Id extends OperationId> = Given<Params<Id>> & Given<Query<Id>> & Given<RequestBody<Id>>;
/** An empty zod object is a record of never, which would forbid the fields of the other parts. */
type Given<Part> = string extends keyof Part ? unknown : Part;

type Method<Id extends OperationId> = (
  ...input: Empty extends Fields<Id>
    ? [fields?: Fields<Id>, options?: CallOptions]
    : [fields: Fields<Id>, options?: CallOptions]
) => Id extends StreamId
  ? AsyncIterable<UniversalEvent>
  : Id extends UiId
    ? AsyncIterable<UiChunk>
    : Promise<Result<Id>>;

type Group = OperationId extends infer Id ? (Id extends `${infer Name}.${string}` ? Name : never) : never;

/** `sessions.create` of the table is `client.sessions.create`. */
export type Methods = { [Id in OperationId as Id extends `${string}.${string}` ? never : Id]: Method<Id> } & {
  [G in Group]: { [Id in OperationId as Id extends `${G}.${infer Name}` ? Name : never]: Method<Id> };
};

interface UntypedCaller {
  call(id: CallId, input: RequestParts): Promise<unknown>;
  stream(id: StreamId, input: RequestParts): AsyncIterable<UniversalEvent>;
  chunks(id: UiId, input: RequestParts): AsyncIterable<UiChunk>;
}

/** Built by walking the table; the cast is where the walk gets the types that `Methods` reads from the same table. */
export function methodsOf(caller: object): Methods {
  const { call, stream, chunks } = caller as UntypedCaller;
  const methods: Record<string, unknown> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const { answer } = operation;
    const method = (fields: Record<string, unknown> = {}, options?: CallOptions) => {
      const input = { ...partsOf(operation, fields), ...options };
      if (answer === "sse") return stream(id as StreamId, input);
      return answer === "ui" ? chunks(id as UiId, input) : call(id as CallId, input);
    };
    const [group, name] = id.split(".") as [string, string?];
    methods[group] = name === undefined ? method : { ...(methods[group] as object), [name]: method };
  }
  return methods as Methods;
}

function partsOf(operation: OperationRow, fields: Record<string, unknown>): RequestParts {
  const params: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const part = operation.params.includes(name) ? params : operation.query.includes(name) ? query : body;
    part[name] = value;
  }
  return { params, query, body };
}
