import type { ByteAnswer } from "./byte-answer.ts";
import type { CallOptions } from "./call-options.ts";
import type { RequestParts } from "./connection/connection.ts";
import { operations } from "./connection/generated/operations.ts";
import type { OperationRow } from "./connection/operation-row.ts";
import type { Methods } from "./generated/methods.ts";
import type { UiChunk } from "./generated/types.ts";
import type { BytesId, CallId, StreamId, UiId } from "./operation-types.ts";

interface UntypedCaller {
  call(id: CallId, input: RequestParts): Promise<unknown>;
  stream(id: StreamId, input: RequestParts): AsyncIterable<unknown>;
  bytes(id: BytesId, input: RequestParts): Promise<ByteAnswer>;
  chunks(id: UiId, input: RequestParts): AsyncIterable<UiChunk>;
}

/** Built by walking the table; the cast is where the walk gets the types that were made from the same table. */
export function methodsOf(caller: object): Methods {
  const { call, stream, bytes, chunks } = caller as UntypedCaller;
  const methods: Record<string, unknown> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const { answer } = operation;
    const method = (fields: Record<string, unknown> = {}, options?: CallOptions) => {
      const input = { ...partsOf(operation, fields), ...options };
      if (answer === "bytes") return bytes(id as BytesId, input);
      if (answer === "sse") return stream(id as StreamId, input);
      return answer === "ui" ? chunks(id as UiId, input) : call(id as CallId, input);
    };
    const [group, name] = id.split(".") as [string, string?];
    methods[group] = name === undefined ? method : { ...(methods[group] as object), [name]: method };
  }
  return methods as unknown as Methods;
}

function partsOf(operation: OperationRow, fields: Record<string, unknown>): RequestParts {
  const params: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  const headers: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (operation.params.includes(name)) params[name] = value;
    else if (operation.query.includes(name)) query[name] = value;
    else if (operation.headers?.includes(name)) headers[name] = value;
    else body[name] = value;
  }
  return { params, query, headers, body: operation.takesBytes ? body.content : body };
}
