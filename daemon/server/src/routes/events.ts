import { agentLines, SessionLines } from "@muster/engine";
import { FrameStream, JsonBytes } from "@muster/http";
import type { LogReader } from "@muster/log";
import { Failure, type Query } from "@muster/schema/wire";
import { eventPage } from "../frames/event-page.ts";
import { asLines, mergeReaders, watchSessions, withRaw } from "../frames/frame-sources.ts";
import { lastEventId } from "./last-event-id.ts";
import type { RouteContext, Routes } from "./route.ts";

export const eventRoutes = {
  "sessions.getEvents": async ({ params, query }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    await checkForm(query);
    return new JsonBytes(await eventPage(session, query));
  },
  "sessions.streamEvents": async ({ params, query }, { sessions, headers }) => {
    const session = await sessions.get(params.sessionId);
    const after = lastEventId(headers) ?? query.offset ?? 0;
    await checkForm(query);
    const { as: agent, deltas = true } = query;
    const said = agent === undefined ? undefined : await SessionLines.open(session.log, { agent, after, deltas });
    const reader = session.log.reader(after, { deltas: query.deltas });
    const source = said ? asLines(reader, said) : query.raw ? withRaw(session, reader) : reader;
    return new FrameStream(source, () => reader.position);
  },
  "events.stream": async ({ query }, context) => {
    const names = query.sessions?.split(",").filter(Boolean) ?? [];
    if (names.length === 0) return new FrameStream(watchSessions(context.sessions), () => "watching");
    const readers = await namedReaders(names, query.deltas, context);
    const positions = () => [...readers].map(([name, reader]) => `${name}:${reader.position}`).join(",");
    return new FrameStream(mergeReaders(readers), positions);
  },
} satisfies Partial<Routes>;

/** Throws for a form of events that cannot be given, before anything is opened. */
async function checkForm({ as, raw }: Pick<Query<"sessions.streamEvents">, "as" | "raw">): Promise<void> {
  if (as === undefined) return;
  await agentLines(as);
  if (raw) throw new Failure("invalid_request", "as gives lines of another protocol, raw those of the agent: take one");
}

/** One reader per named session: from a position given with the name, from Last-Event-ID, or from now on. */
async function namedReaders(names: string[], deltas: boolean | undefined, { sessions, headers }: RouteContext) {
  const resumed = positionsIn(headers["last-event-id"]);
  const readers = new Map<string, LogReader>();
  try {
    for (const [name, given] of positionsIn(names.join(","))) {
      const { log } = await sessions.get(name);
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
