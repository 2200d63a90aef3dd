import type { Engine, TraceContext } from "@muster/engine";
import type { AccessTokens, ByteStream, FrameStream, Grant, JsonBytes, Tickets, WithStatus } from "@muster/http";
import type { Answer, Headers, OperationId, operations, Params, Query, RequestBody } from "@muster/schema/wire";
import type { RunningProcesses } from "../engine/running-processes.ts";
import type { VisibleSessions } from "../engine/visible-sessions.ts";
import type { SessionFiles } from "../sandbox/session-files.ts";

export interface RouteContext {
  engine: Omit<Engine, "sessions">;
  /** Those that whoever asks may see: a route knows no others. */
  sessions: VisibleSessions;
  processes: RunningProcesses;
  tickets: Tickets;
  tokens: AccessTokens;
  files: SessionFiles;
  startedAt: string;
  /** As text for Prometheus. */
  metrics(): string;
  /** Room for one more session until the returned function is called; undefined when there is none. */
  reserveSession(): (() => void) | undefined;
  grant: Grant;
  /** What came beside the fields, by their names in HTTP. */
  headers: RouteHeaders;
  /** By which what the request sets off goes on with its trace. */
  trace?: TraceContext | undefined;
}

export type RouteHeaders = Readonly<
  Partial<Record<"accept" | "last-event-id" | "idempotency-key", string | string[]>> & TraceContext
>;

/** @public The declarations of the routes name it. */
export interface RouteInput<Id extends OperationId> {
  params: Params<Id>;
  query: Query<Id>;
  body: (typeof operations)[Id] extends { takesBytes: true } ? AsyncIterable<Uint8Array> : RequestBody<Id>;
  headers: Headers<Id>;
}

/** Nothing where the answer is empty, or where there is nothing to stream. */
type Result<Id extends OperationId> =
  | Answer<Id>
  | JsonBytes
  | WithStatus
  | FrameStream
  | ByteStream
  | string
  | undefined;

export type Routes = {
  [Id in OperationId]: (input: RouteInput<Id>, context: RouteContext) => Result<Id> | Promise<Result<Id>>;
};
