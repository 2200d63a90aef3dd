import { randomBytes } from "node:crypto";
import { agentLines, type Engine, foldMessages, type Session, SessionLines } from "@muster/engine";
import { type Caller, FrameStream, JsonBytes, type Tickets, WithStatus } from "@muster/http";
import type { LogReader } from "@muster/log";
import {
  type Answer,
  Failure,
  messageIdForm,
  type OperationId,
  type Params,
  type Query,
  type RequestBody,
  type SendMessage,
} from "@muster/schema/wire";
import { metricsText } from "./engine/metrics.ts";
import { eventPage } from "./frames/event-page.ts";
import { asLines, mergeReaders, until, watchSessions, withRaw } from "./frames/frame-sources.ts";
import { installFrames } from "./frames/install-progress.ts";
import { type UiStart, uiFrames } from "./ui/ui-stream.ts";
import { version } from "./version.ts";

export interface RouteContext {
  engine: Engine;
  tickets: Tickets;
  startedAt: string;
  openStreams(): number;
  /** Room for one more session until the returned function is called; undefined when there is none. */
  reserveSession(): (() => void) | undefined;
  caller: Caller;
  /** What came beside the fields, by their names in HTTP. */
  headers: RouteHeaders;
}

export type RouteHeaders = Readonly<Partial<Record<"accept" | "last-event-id" | "idempotency-key", string | string[]>>>;

export interface RouteInput<Id extends OperationId> {
  params: Params<Id>;
  query: Query<Id>;
  body: RequestBody<Id>;
}

/** Nothing where the answer is empty, or where there is nothing to stream. */
type Result<Id extends OperationId> = Answer<Id> | JsonBytes | WithStatus | FrameStream | string | undefined;
type Routes = {
  [Id in OperationId]: (input: RouteInput<Id>, context: RouteContext) => Result<Id> | Promise<Result<Id>>;
};

/**
 * operation → what happens: a value, or frames that go on. Everything around it (security, validation, failures) is the
 * same for all, and HTTP only one of the faces.
 */
export const routes: Routes = {
  health: () => ({ status: "ok" }),
  info: (_, { engine, startedAt }) => {
    return { name: "sandbox-daemon", version, agents: engine.agents.ids, durability: engine.durability, startedAt };
  },
  openapi: async () => (await import("@muster/schema")).openApi(version) as { openapi: string },
  metrics: (_, { engine, openStreams }) => metricsText(engine, openStreams()),

  "agents.list": async (_, { engine }) => ({ agents: await engine.agents.list() }),
  "agents.get": ({ params }, { engine }) => engine.agents.info(params.agent),
  "agents.install": ({ params, body }, { engine: { agents }, headers }) => {
    if (!headers.accept?.includes("text/event-stream")) return agents.install(params.agent, body);
    return new FrameStream(
      installFrames((progress) => agents.install(params.agent, body, progress)),
      () => "installing",
    );
  },
  "agents.uninstall": ({ params, query }, { engine }) => engine.uninstall(params.agent, query),
  "agents.listModels": async ({ params }, { engine }) => ({ models: await engine.agents.models(params.agent) }),
  "agents.listModes": async ({ params }, { engine }) => ({ modes: await engine.agents.modes(params.agent) }),

  "sessions.create": async ({ params, query, body }, { engine, reserveSession }) => {
    const { sessionId = newSessionId() } = params;
    const release = reserveSession();
    if (release === undefined) await checkExists(engine, sessionId);
    try {
      const { created, ...answer } = await engine.sessions.create(sessionId, body, query);
      return created ? answer : new WithStatus(200, answer);
    } finally {
      release?.();
    }
  },
  "sessions.list": ({ query }, { engine }) => engine.sessions.list(query),
  "sessions.get": ({ params }, { engine }) => engine.sessions.view(params.sessionId),
  "sessions.update": async ({ params, body }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    await session.update(body);
    return session.view();
  },
  "sessions.delete": ({ params }, { engine }) => engine.sessions.delete(params.sessionId).then(() => undefined),
  "sessions.sendMessage": async ({ params, body }, { engine, headers }) => {
    const session = await engine.sessions.get(params.sessionId);
    return session.send(withIdempotencyKey(body, headers));
  },
  "sessions.streamMessage": async ({ params, query, body }, { engine, headers }) => {
    const session = await engine.sessions.get(params.sessionId);
    const { messageId, sequence } = await session.send(withIdempotencyKey(body, headers));
    const reader = session.log.reader(sequence - 1, { deltas: query.deltas });
    const frames = query.raw ? withRaw(session, reader) : reader;
    return new FrameStream(until(frames, session.messageEnd(messageId)), () => reader.position);
  },
  "sessions.cancelMessage": async ({ params }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    await session.cancelMessage(params.messageId);
    return undefined;
  },
  "sessions.getMessages": async ({ params }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    return { messages: await foldMessages(session.log.events(0)) };
  },
  "sessions.getEvents": async ({ params, query }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    await checkForm(query);
    return new JsonBytes(await eventPage(session, query));
  },
  "sessions.streamEvents": async ({ params, query }, { engine, headers }) => {
    const session = await engine.sessions.get(params.sessionId);
    const after = lastEventId(headers) ?? query.offset ?? 0;
    await checkForm(query);
    const { as: agent, deltas = true } = query;
    const said = agent === undefined ? undefined : await SessionLines.open(session.log, { agent, after, deltas });
    const reader = session.log.reader(after, { deltas: query.deltas });
    const source = said ? asLines(reader, said) : query.raw ? withRaw(session, reader) : reader;
    return new FrameStream(source, () => reader.position);
  },
  "sessions.listRequests": async ({ params }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    return session.requests.pending();
  },
  "sessions.replyQuestion": async ({ params, body }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    return session.requests.replyQuestion(params.questionId, body).then(() => undefined);
  },
  "sessions.rejectQuestion": async ({ params, body }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    return session.requests.rejectQuestion(params.questionId, body).then(() => undefined);
  },
  "sessions.replyPermission": async ({ params, body }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    return session.requests.replyPermission(params.permissionId, body).then(() => undefined);
  },
  "sessions.interrupt": async ({ params, body }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    return session.interrupt(body).then(() => undefined);
  },
  "sessions.terminate": async ({ params }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    return session.terminate().then(() => undefined);
  },

  "events.stream": async ({ query }, context) => {
    const names = query.sessions?.split(",").filter(Boolean) ?? [];
    if (names.length === 0) return new FrameStream(watchSessions(context.engine), () => "watching");
    const readers = await namedReaders(names, query.deltas, context);
    const positions = () => [...readers].map(([name, reader]) => `${name}:${reader.position}`).join(",");
    return new FrameStream(mergeReaders(readers), positions);
  },
  "ui.send": async ({ body }, { engine }) => {
    const session = await engine.sessions.get(body.id);
    const { sendUi } = await import("./ui/send-ui.ts");
    return streamUi(session, await sendUi(session, body));
  },
  "ui.resume": async ({ params }, { engine }) => {
    const session = await engine.sessions.get(params.sessionId);
    const turn = session.openTurn;
    return turn === undefined ? undefined : streamUi(session, { turn, after: turn.sequence - 1 });
  },
  "credentials.list": async (_, { engine }) => ({ credentials: await engine.agents.credentials() }),
  "tickets.create": ({ body }, { tickets, caller }) => tickets.create(body.use, caller),
  "tickets.redeem": ({ body }, { tickets }) => tickets.keyFor(body.ticket),
};

function streamUi(session: Session, start: UiStart): FrameStream {
  const reader = session.log.reader(start.after);
  const headers = { "x-vercel-ai-ui-message-stream": "v1" };
  return new FrameStream(uiFrames(session, reader, start), () => reader.position, headers);
}

/** Short enough to type, long enough to meet no other. */
function newSessionId(): string {
  return `ses_${randomBytes(5).toString("hex")}`;
}

/** Asked again for a session that is there, the answer needs no room. */
async function checkExists(engine: Engine, sessionId: string): Promise<void> {
  await engine.sessions.view(sessionId).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== "session_not_found") throw error;
    throw new Failure("too_many_sessions", "Every file this process may open is in use; see ulimit -n", { sessionId });
  });
}

/** The header does what `messageId` in the body does; both are fine as long as they agree. */
function withIdempotencyKey(body: SendMessage, headers: RouteHeaders): SendMessage {
  const key = headers["idempotency-key"];
  if (key === undefined) return body;
  if (typeof key !== "string" || !messageIdForm.test(key)) {
    throw new Failure("invalid_request", "The Idempotency-Key is not 1 to 128 plain characters");
  }
  if (body.messageId !== undefined && body.messageId !== key) {
    throw new Failure("invalid_request", "The Idempotency-Key and messageId are not the same");
  }
  return { ...body, messageId: key };
}

function lastEventId(headers: RouteHeaders): number | undefined {
  const id = headers["last-event-id"];
  if (typeof id !== "string" || id === "") return undefined;
  if (/^\d+$/.test(id)) return Number(id);
  throw new Failure("invalid_request", `Last-Event-ID is a sequence, not ${id}`);
}

/** Throws for a form of events that cannot be given, before anything is opened. */
async function checkForm({ as, raw }: Pick<Query<"sessions.streamEvents">, "as" | "raw">): Promise<void> {
  if (as === undefined) return;
  await agentLines(as);
  if (raw) throw new Failure("invalid_request", "as gives lines of another protocol, raw those of the agent: take one");
}

/** One reader per named session: from a position given with the name, from Last-Event-ID, or from now on. */
async function namedReaders(names: string[], deltas: boolean | undefined, { engine, headers }: RouteContext) {
  const resumed = positionsIn(headers["last-event-id"]);
  const readers = new Map<string, LogReader>();
  try {
    for (const [name, given] of positionsIn(names.join(","))) {
      const { log } = await engine.sessions.get(name);
      readers.set(name, log.reader(resumed.get(name) ?? given ?? log.publishedSequence, { deltas }));
    }
  } catch (error) {
    for (const reader of readers.values()) reader.close();
    throw error;
  }
  return readers;
}

/** `a:12,b` → a after 12, b without a position. A colon cannot be part of a session id. */
function positionsIn(text: string | string[] | undefined): Map<string, number | undefined> {
  const entries = String(text ?? "")
    .split(",")
    .filter(Boolean)
    .map((entry) => entry.split(":", 2) as [string, string?]);
  return new Map(entries.map(([name, position]) => [name, position === undefined ? undefined : Number(position)]));
}
