import type { ByteAnswer } from "./byte-answer.ts";
import type { UiChunk } from "./generated/types.ts";
import type { BytesId, CallId, InputArgument, Result, StreamId, UiId } from "./operation-types.ts";

/** The operations by their ids. Over HTTP or in the same process: everything else is made of these. */
export interface Caller {
  /** Calls an operation that answers once. Throws `Failure` for a problem, `ConnectionFailure` without a daemon. */
  call<Id extends CallId>(id: Id, ...input: InputArgument<Id>): Promise<Result<Id>>;
  /**
   * Every event once and in order, also over dropped connections. Streams of events go on until aborted;
   * `sessions.streamMessage` ends with the turn of its message. Nothing is sent before the first event is asked for.
   */
  stream<Id extends StreamId>(id: Id, ...input: InputArgument<Id>): AsyncIterable<Result<Id>>;
  /** Bytes, once their head is there; the signal of the call also ends the reading of them. */
  bytes<Id extends BytesId>(id: Id, ...input: InputArgument<Id>): Promise<ByteAnswer>;
  /** Chunks for the AI SDK, over one connection; `ui.resume` tells a turn again from its beginning. */
  chunks<Id extends UiId>(id: Id, ...input: InputArgument<Id>): AsyncIterable<UiChunk>;
  /** Ends every stream that is being read, with an AbortError. */
  close(): void;
}
