import { z } from "zod";
import { AgentInfo, CredentialInfo, InstallAgent, InstalledAgent, Mode, Model, UninstalledAgent } from "./agents.ts";
import { UniversalEvent } from "./events.ts";
import { SessionId, Time } from "./ids.ts";
import { SendMessage, SentMessage, UniversalMessage } from "./messages.ts";
import type { ProblemCode } from "./problem.ts";
import { PendingRequests, RejectQuestion, ReplyPermission, ReplyQuestion } from "./requests.ts";
import { CreatedSession, CreateSession, InterruptSession, Session, SessionState, UpdateSession } from "./session.ts";
import { SendUi, UiChunk } from "./ui.ts";

/** One row: an HTTP route, a CLI command and a client method at once. Paths use `{name}` for parameters. */
export interface Operation {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** The last parameter of the path, when it may be left out with its slash: the daemon makes one. */
  readonly madeParam?: string;
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /**
   * `json` and `text` are whole answers, `sse` is a stream of `response` values, `empty` is 204. `ui` is the AI SDK's
   * stream of chunks: it ends with `[DONE]`, and 204 says that there is nothing to tell.
   */
  readonly answer: "json" | "text" | "sse" | "ui" | "empty";
  readonly status: number;
  /** Of a `text` answer. */
  readonly contentType?: string;
  readonly response?: z.ZodType;
  readonly cli: readonly [string, ...string[]];
  /** Fields whose option would collide with one every command has. */
  readonly cliNames?: Readonly<Record<string, string>>;
  /** Needs no token. */
  readonly public?: boolean;
  readonly problems: readonly ProblemCode[];
}

const json = { answer: "json", status: 200 } as const;
const sse = { answer: "sse", status: 200 } as const;
const ui = { answer: "ui", status: 200, response: UiChunk } as const;
const empty = { answer: "empty", status: 204 } as const;

const none = z.object({});
const agent = z.object({ agent: z.string() });
const session = z.object({ sessionId: SessionId });
const newSession = z.object({ sessionId: SessionId.optional() });
const question = session.extend({ questionId: z.string() });
const permission = session.extend({ permissionId: z.string() });
const message = session.extend({ messageId: z.string() });

/** A flag in a query string: `?raw`, `?raw=true`, `?raw=1` are true. */
const Flag = z.stringbool({ truthy: ["true", "1", ""], falsy: ["false", "0"] });
const Sequence = z.coerce.number().int().nonnegative();
const eventFilter = {
  offset: Sequence.optional().describe("The last sequence seen; 0 is the beginning"),
  raw: Flag.optional().describe("Adds the agent's own message to each event"),
  deltas: Flag.optional().describe("false leaves out item.delta"),
};
const pageLimit = z.coerce.number().int().min(1).max(10_000).optional().describe("How many; 1000 by default");
const asAgent = z.string().optional().describe("Gives them as lines of this agent's own protocol");
const inSession = ["session_not_found", "session_deleted", "session_unreadable"] as const;

/** operation id → row. The router, OpenAPI, the CLI and the clients are made from this table. */
export const operations = {
  health: {
    method: "GET",
    path: "/health",
    summary: "Tells that the daemon answers",
    params: none,
    ...json,
    response: z.object({ status: z.literal("ok") }),
    cli: ["health"],
    public: true,
    problems: [],
  },
  info: {
    method: "GET",
    path: "/",
    summary: "Name, version and what the daemon serves",
    params: none,
    ...json,
    response: z.object({
      name: z.string(),
      version: z.string(),
      agents: z.array(z.string()),
      durability: z.enum(["batch", "sync", "none"]),
      startedAt: Time,
    }),
    cli: ["info"],
    problems: [],
  },
  openapi: {
    method: "GET",
    path: "/openapi.json",
    summary: "This API as OpenAPI 3.1",
    params: none,
    ...json,
    response: z.looseObject({ openapi: z.string() }),
    cli: ["openapi"],
    problems: [],
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    summary: "Counters and gauges as Prometheus text",
    params: none,
    answer: "text",
    contentType: "text/plain; version=0.0.4; charset=utf-8",
    status: 200,
    cli: ["metrics"],
    problems: [],
  },
  "agents.list": {
    method: "GET",
    path: "/agents",
    summary: "Every agent the daemon can drive",
    params: none,
    ...json,
    response: z.object({ agents: z.array(AgentInfo) }),
    cli: ["agents", "list"],
    problems: [],
  },
  "agents.get": {
    method: "GET",
    path: "/agents/{agent}",
    summary: "One agent",
    params: agent,
    ...json,
    response: AgentInfo,
    cli: ["agents", "get"],
    problems: ["unsupported_agent"],
  },
  "agents.install": {
    method: "POST",
    path: "/agents/{agent}/install",
    summary: "Installs and verifies an agent",
    params: agent,
    body: InstallAgent,
    ...json,
    response: InstalledAgent,
    cli: ["agents", "install"],
    cliNames: { version: "agent-version" },
    problems: ["unsupported_agent", "install_failed"],
  },
  "agents.uninstall": {
    method: "DELETE",
    path: "/agents/{agent}/install",
    summary: "Removes what the daemon has installed of an agent",
    params: agent,
    query: z.object({ version: z.string().min(1).optional().describe("Only this version; all of them by default") }),
    ...json,
    response: UninstalledAgent,
    cli: ["agents", "uninstall"],
    cliNames: { version: "agent-version" },
    problems: ["unsupported_agent", "agent_in_use"],
  },
  "agents.listModels": {
    method: "GET",
    path: "/agents/{agent}/models",
    summary: "The models an agent offers",
    params: agent,
    ...json,
    response: z.object({ models: z.array(Model) }),
    cli: ["agents", "list-models"],
    problems: ["unsupported_agent", "install_failed", "agent_unhealthy"],
  },
  "agents.listModes": {
    method: "GET",
    path: "/agents/{agent}/modes",
    summary: "The modes an agent offers",
    params: agent,
    ...json,
    response: z.object({ modes: z.array(Mode) }),
    cli: ["agents", "list-modes"],
    problems: ["unsupported_agent", "install_failed", "agent_unhealthy"],
  },
  "sessions.create": {
    method: "POST",
    path: "/sessions/{sessionId}",
    madeParam: "sessionId",
    summary: "Creates a session and starts its agent; without an id one is made",
    params: newSession,
    query: z.object({ reuse: Flag.optional().describe("Takes the id again of a session that was deleted") }),
    body: CreateSession,
    answer: "json",
    status: 201,
    response: CreatedSession,
    cli: ["sessions", "create"],
    cliNames: { token: "agent-token" },
    problems: [
      "unsupported_agent",
      "unsupported_option",
      "session_exists",
      "session_deleted",
      "too_many_sessions",
      "storage_full",
    ],
  },
  "sessions.list": {
    method: "GET",
    path: "/sessions",
    summary: "Sessions in the order they were created, or the last used first",
    params: none,
    query: z.object({
      after: SessionId.optional().describe("The last session id of the page before"),
      limit: z.coerce.number().int().min(1).max(1000).optional().describe("How many; 100 by default"),
      state: SessionState.optional().describe("Only those in this state"),
      agent: z.string().optional().describe("Only those of this agent"),
      directory: z.string().optional().describe("Only those that work in this directory"),
      order: z.enum(["created", "updated"]).optional().describe("created: oldest first; updated: last used first"),
    }),
    ...json,
    response: z.object({ sessions: z.array(Session), hasMore: z.boolean() }),
    cli: ["sessions", "list"],
    problems: [],
  },
  "sessions.get": {
    method: "GET",
    path: "/sessions/{sessionId}",
    summary: "One session",
    params: session,
    ...json,
    response: Session,
    cli: ["sessions", "get"],
    problems: [...inSession],
  },
  "sessions.update": {
    method: "PATCH",
    path: "/sessions/{sessionId}",
    summary: "Changes model, mode, variant, permission mode, title, limits or secrets",
    params: session,
    body: UpdateSession,
    ...json,
    response: Session,
    cli: ["sessions", "update"],
    cliNames: { token: "agent-token" },
    problems: [...inSession, "unsupported_option", "storage_full"],
  },
  "sessions.delete": {
    method: "DELETE",
    path: "/sessions/{sessionId}",
    summary: "Kills the agent, ends the readers, removes the log",
    params: session,
    ...empty,
    cli: ["sessions", "delete"],
    problems: [...inSession],
  },
  "sessions.sendMessage": {
    method: "POST",
    path: "/sessions/{sessionId}/messages",
    summary: "Accepts a message; answers when it is safe on disk",
    params: session,
    body: SendMessage,
    answer: "json",
    status: 202,
    response: SentMessage,
    cli: ["sessions", "send-message"],
    problems: [
      ...inSession,
      "unsupported_option",
      "message_conflict",
      "session_busy",
      "agent_unhealthy",
      "credentials_required",
      "storage_full",
    ],
  },
  "sessions.streamMessage": {
    method: "POST",
    path: "/sessions/{sessionId}/messages/stream",
    summary: "Sends a message and streams the events until its turn has ended",
    params: session,
    query: z.object({ raw: eventFilter.raw, deltas: eventFilter.deltas }),
    body: SendMessage,
    ...sse,
    response: UniversalEvent,
    cli: ["sessions", "stream-message"],
    problems: [
      ...inSession,
      "unsupported_option",
      "message_conflict",
      "session_busy",
      "agent_unhealthy",
      "credentials_required",
      "storage_full",
    ],
  },
  "sessions.getMessages": {
    method: "GET",
    path: "/sessions/{sessionId}/messages",
    summary: "The conversation, folded from the log",
    params: session,
    ...json,
    response: z.object({ messages: z.array(UniversalMessage) }),
    cli: ["sessions", "get-messages"],
    problems: [...inSession],
  },
  "sessions.cancelMessage": {
    method: "DELETE",
    path: "/sessions/{sessionId}/messages/{messageId}",
    summary: "Takes back a message that is still queued",
    params: message,
    ...empty,
    cli: ["sessions", "cancel-message"],
    problems: [...inSession, "message_not_found", "already_given"],
  },
  "sessions.getEvents": {
    method: "GET",
    path: "/sessions/{sessionId}/events",
    summary: "A page of events",
    params: session,
    query: z.object({ ...eventFilter, as: asAgent, limit: pageLimit }),
    ...json,
    response: z.object({
      events: z.array(UniversalEvent).describe("With `as`, lines of that agent's protocol"),
      hasMore: z.boolean(),
      last: z.int().optional().describe("With `as`: the offset of the next page"),
      leftOut: z
        .record(z.string(), z.int())
        .optional()
        .describe("With `as`: what that agent has no words for, and how often it was left out"),
    }),
    cli: ["sessions", "get-events"],
    problems: [...inSession, "unsupported_agent", "cursor_ahead"],
  },
  "sessions.streamEvents": {
    method: "GET",
    path: "/sessions/{sessionId}/events/sse",
    summary: "All events from an offset on, then live; stays open over turns and lives",
    params: session,
    query: z.object({ ...eventFilter, as: asAgent }),
    ...sse,
    response: UniversalEvent,
    cli: ["sessions", "stream-events"],
    problems: [...inSession, "unsupported_agent", "cursor_ahead"],
  },
  "sessions.listRequests": {
    method: "GET",
    path: "/sessions/{sessionId}/requests",
    summary: "Questions and permissions that wait for a person",
    params: session,
    ...json,
    response: PendingRequests,
    cli: ["sessions", "list-requests"],
    problems: [...inSession],
  },
  "sessions.replyQuestion": {
    method: "POST",
    path: "/sessions/{sessionId}/questions/{questionId}/reply",
    summary: "Answers a question; the first valid answer wins",
    params: question,
    body: ReplyQuestion,
    ...empty,
    cli: ["sessions", "reply-question"],
    problems: [...inSession, "request_not_found", "already_resolved"],
  },
  "sessions.rejectQuestion": {
    method: "POST",
    path: "/sessions/{sessionId}/questions/{questionId}/reject",
    summary: "Declines to answer a question",
    params: question,
    body: RejectQuestion,
    ...empty,
    cli: ["sessions", "reject-question"],
    problems: [...inSession, "request_not_found", "already_resolved"],
  },
  "sessions.replyPermission": {
    method: "POST",
    path: "/sessions/{sessionId}/permissions/{permissionId}/reply",
    summary: "Allows once, allows always in this session, or rejects",
    params: permission,
    body: ReplyPermission,
    ...empty,
    cli: ["sessions", "reply-permission"],
    problems: [...inSession, "request_not_found", "already_resolved"],
  },
  "sessions.interrupt": {
    method: "POST",
    path: "/sessions/{sessionId}/interrupt",
    summary: "Ends the open turn",
    params: session,
    body: InterruptSession,
    ...empty,
    cli: ["sessions", "interrupt"],
    problems: [...inSession],
  },
  "sessions.terminate": {
    method: "POST",
    path: "/sessions/{sessionId}/terminate",
    summary: "Ends the agent's life; a later message starts a new one",
    params: session,
    body: z.object({}),
    ...empty,
    cli: ["sessions", "terminate"],
    problems: [...inSession],
  },
  "events.stream": {
    method: "GET",
    path: "/events/sse",
    summary: "Live events of all or the named sessions; without names only state changes and requests",
    params: none,
    query: z.object({
      sessions: z.string().optional().describe("Session ids, separated by commas"),
      deltas: eventFilter.deltas,
    }),
    ...sse,
    response: UniversalEvent,
    cli: ["events", "stream"],
    problems: [...inSession, "cursor_ahead"],
  },
  "ui.send": {
    method: "POST",
    path: "/ui",
    summary: "Takes what the AI SDK's useChat posts and streams its chunks, up to the end of the turn or a request",
    params: none,
    body: SendUi,
    ...ui,
    cli: ["ui", "send"],
    problems: [
      ...inSession,
      "request_not_found",
      "unsupported_option",
      "message_conflict",
      "session_busy",
      "agent_unhealthy",
      "credentials_required",
      "storage_full",
    ],
  },
  "ui.resume": {
    method: "GET",
    path: "/ui/{sessionId}/stream",
    summary: "The same stream for the open turn, from its beginning; nothing when no turn is open",
    params: session,
    ...ui,
    cli: ["ui", "resume"],
    problems: [...inSession],
  },
  "credentials.list": {
    method: "GET",
    path: "/credentials",
    summary: "Which credentials were found and where; never the secrets",
    params: none,
    ...json,
    response: z.object({ credentials: z.array(CredentialInfo) }),
    cli: ["credentials", "list"],
    problems: [],
  },
  "tickets.create": {
    method: "POST",
    path: "/tickets",
    summary: "A ticket for one request of a browser that cannot send a header (?ticket=), or for the page at /inspect",
    params: none,
    body: z.object({
      use: z
        .enum(["request", "page"])
        .optional()
        .describe("request (default): one GET, 30 seconds; page: the link /inspect#ticket=…, 10 minutes"),
    }),
    answer: "json",
    status: 201,
    response: z.object({ ticket: z.string(), expiresAt: Time }),
    cli: ["tickets", "create"],
    problems: [],
  },
  "tickets.redeem": {
    method: "POST",
    path: "/tickets/redeem",
    summary: "Takes the ticket of a page and gives it a key to send as its bearer token",
    params: none,
    body: z.object({ ticket: z.string().min(1).max(200).describe("Made with use: page; good for one time") }),
    ...json,
    response: z.object({ key: z.string(), expiresAt: Time }),
    cli: ["tickets", "redeem"],
    public: true,
    problems: ["unauthorized"],
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
export const operationIds = Object.keys(operations) as OperationId[];

type Field<Row, Name extends string, Otherwise> = Row extends { [K in Name]: infer Schema extends z.ZodType }
  ? z.infer<Schema>
  : Otherwise;
export type Params<Id extends OperationId> = Field<(typeof operations)[Id], "params", unknown>;
export type Query<Id extends OperationId> = Field<(typeof operations)[Id], "query", Record<string, never>>;
export type RequestBody<Id extends OperationId> = Field<(typeof operations)[Id], "body", Record<string, never>>;
export type Answer<Id extends OperationId> = Field<(typeof operations)[Id], "response", undefined>;
