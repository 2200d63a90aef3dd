import type { CallOptions } from "./call-options.ts";
import type { OperationShapes } from "./generated/methods.ts";

/** The operations of the daemon, by their ids in the table. */
export type OperationId = keyof OperationShapes;

/** Operations that answer with a stream of events. */
export type StreamId = { [Id in OperationId]: OperationShapes[Id]["answer"] extends "sse" ? Id : never }[OperationId];
/** Operations that answer with a stream of the AI SDK's chunks. */
export type UiId = { [Id in OperationId]: OperationShapes[Id]["answer"] extends "ui" ? Id : never }[OperationId];
/** Operations that answer with bytes. */
export type BytesId = { [Id in OperationId]: OperationShapes[Id]["answer"] extends "bytes" ? Id : never }[OperationId];
/** Operations that answer once. */
export type CallId = Exclude<OperationId, StreamId | UiId | BytesId>;

/** What a call resolves to: the response value, the text, or nothing. */
export type Result<Id extends OperationId> = OperationShapes[Id]["result"];

/** Extends every type of which nothing is required. */
type Empty = Record<never, never>;

/** A part may be left out when all of its fields may. */
type Part<Name extends string, Value> = Empty extends Value ? { [K in Name]?: Value } : { [K in Name]: Value };

export type CallInput<Id extends OperationId> = Part<"params", OperationShapes[Id]["params"]> &
  Part<"query", OperationShapes[Id]["query"]> &
  Part<"body", OperationShapes[Id]["body"]> &
  Part<"headers", OperationShapes[Id]["headers"]> &
  CallOptions;

/** The input may be left out when every part of it may. */
export type InputArgument<Id extends OperationId> =
  Empty extends CallInput<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id>];
