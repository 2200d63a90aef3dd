export { type Frame, readFrames } from "@muster/core";
export type {
  Attachment,
  Body,
  CreateSession,
  EventType,
  Item,
  Part,
  PermissionRequested,
  ProblemCode,
  Question,
  QuestionRequested,
  ReplyPermission,
  ReplyQuestion,
  SendMessage,
  SentMessage,
  Session as SessionInfo,
  UiChunk,
  UniversalEvent,
  UniversalMessage,
  Usage,
} from "@muster/schema";
export { Failure } from "@muster/schema/wire";
export type { Caller } from "./caller.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export { ConnectionFailure } from "./connection/connection-failure.ts";
export type { Asking, PermissionAnswer, PlanAnswer, QuestionAnswer } from "./human-requests.ts";
export type { CallId, CallInput, CallOptions, Result, StreamId, UiId } from "./operation-types.ts";
export { SandboxDaemon } from "./sandbox-daemon.ts";
export { type Abort, type AskOptions, type EventsOptions, type PromptOptions, Session } from "./session.ts";
export type { Reconnect } from "./stream/reconnect.ts";
export { Turn, type TurnEnded } from "./turn.ts";
export { TurnFailed } from "./turn-failed.ts";
