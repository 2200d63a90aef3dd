import {
  type Operation,
  type OperationId,
  operationIds,
  operations,
  type Params,
  type Query,
  type RequestBody,
  type UiChunk,
  type UniversalEvent,
} from "@muster/schema";
import type { CallId, Empty, Result, StreamId, UiId } from "./operation-types.ts";
import type { RequestParts } from "./transport.ts";

/** The fields of path, query and body side by side, as on the command line; the table knows where each belongs. */
type Fields<Id extends OperationId> = Given<Params<Id>> & Given<Query<Id>> & Given<RequestBody<Id>>;
/** An empty zod object is a record of never, which would forbid the fields of the other parts. */
type Given<Part> = string extends keyof Part ? unknown : Part;

type Method<Id extends OperationId> = (
  ...input: Empty extends Fields<Id>
    ? [fields?: Fields<Id>, options?: MethodOptions]
    : [fields: Fields<Id>, options?: MethodOptions]
) => Id extends StreamId
  ? AsyncIterable<UniversalEvent>
  : Id extends UiId
    ? AsyncIterable<UiChunk>
    : Promise<Result<Id>>;

export interface MethodOptions {
  signal?: AbortSignal;
}

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
  for (const id of operationIds) {
    const method = (fields: Record<string, unknown> = {}, { signal }: MethodOptions = {}) => {
      const input = { ...partsOf(operations[id], fields), signal };
      const { answer } = operations[id];
      if (answer === "sse") return stream(id as StreamId, input);
      return answer === "ui" ? chunks(id as UiId, input) : call(id as CallId, input);
    };
    const [group, name] = id.split(".") as [string, string?];
    methods[group] = name === undefined ? method : { ...(methods[group] as object), [name]: method };
  }
  return methods as Methods;
}

function partsOf(operation: Operation, fields: Record<string, unknown>): RequestParts {
  const params: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const part = name in operation.params.shape ? params : name in (operation.query?.shape ?? {}) ? query : body;
    part[name] = value;
  }
  return { params, query, body };
}
