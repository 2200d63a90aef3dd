import type { Answer, OperationId, operations, Params, Query, RequestBody } from "@muster/schema";

type Table = typeof operations;

/** Operations that answer with a stream of events. */
export type StreamId = { [Id in OperationId]: Table[Id]["answer"] extends "sse" ? Id : never }[OperationId];
/** Operations that answer with a stream of the AI SDK's chunks. */
export type UiId = { [Id in OperationId]: Table[Id]["answer"] extends "ui" ? Id : never }[OperationId];
/** Operations that answer once. */
export type CallId = Exclude<OperationId, StreamId | UiId>;

/** What a call resolves to: the response value, the text, or nothing. */
export type Result<Id extends OperationId> = Table[Id]["answer"] extends "text" ? string : Answer<Id>;

/** Extends every type of which nothing is required. */
export type Empty = Record<never, never>;

export interface CallOptions {
  signal?: AbortSignal;
  /**
   * Tried again, as streams are, while the daemon does not answer: for reading, and for what is the same when it
   * is asked twice, such as a message with an id of its own.
   */
  retry?: boolean;
}

/** A part may be left out when all of its fields may. */
type Part<Name extends string, Value> = Empty extends Value ? { [K in Name]?: Value } : { [K in Name]: Value };

export type CallInput<Id extends OperationId> = Part<"params", Params<Id>> &
  Part<"query", Query<Id>> &
  Part<"body", RequestBody<Id>> &
  CallOptions;

/** The input may be left out when every part of it may. */
export type InputArgument<Id extends OperationId> =
  Empty extends CallInput<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id>];
