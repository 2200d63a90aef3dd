import type { Frame } from "@muster/core";
import type { ByteAnswer } from "../byte-answer.ts";
import type { OperationId } from "../operation-types.ts";

export interface RequestParts {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  headers?: Record<string, unknown> | undefined;
  /** JSON, or the content where the operation takes bytes. */
  body?: unknown;
  lastEventId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** One way to a daemon. A problem is thrown as a `Failure`, an abort as what the caller gave. */
export interface Connection {
  /** Where the daemon is, for people. */
  readonly endpoint: string;
  /** The value of an operation that answers once. */
  call(id: OperationId, parts: RequestParts): Promise<unknown>;
  /** The bytes of one that answers with some. */
  bytes(id: OperationId, parts: RequestParts): Promise<ByteAnswer>;
  /** The frames of one that streams, as they come together; undefined when there is nothing to tell. */
  frames(id: OperationId, parts: RequestParts): Promise<AsyncIterable<readonly Frame[]> | undefined>;
}
