import { randomBytes } from "node:crypto";
import { WithStatus } from "@muster/http";
import { Failure } from "@muster/schema/wire";
import type { VisibleSessions } from "../engine/visible-sessions.ts";
import type { Routes } from "./route.ts";

export const sessionRoutes = {
  "sessions.create": async ({ params, query, body }, { sessions, reserveSession }) => {
    const { sessionId = newSessionId() } = params;
    const release = reserveSession();
    if (release === undefined) await checkExists(sessions, sessionId);
    try {
      const { created, ...answer } = await sessions.create(sessionId, body, query);
      return created ? answer : new WithStatus(200, answer);
    } finally {
      release?.();
    }
  },
  "sessions.list": ({ query }, { sessions }) => sessions.list(query),
  "sessions.get": ({ params }, { sessions }) => sessions.view(params.sessionId),
  "sessions.usage": async ({ params }, { sessions }) => (await sessions.get(params.sessionId)).usage(),
  "sessions.update": async ({ params, body }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    await session.update(body);
    return session.view();
  },
  "sessions.delete": async ({ params }, { sessions, processes }) => {
    await sessions.delete(params.sessionId);
    await processes.deleteOwned(params.sessionId);
    return undefined;
  },
} satisfies Partial<Routes>;

/** Short enough to type, long enough to meet no other. */
function newSessionId(): string {
  return `ses_${randomBytes(5).toString("hex")}`;
}

/** Asked again for a session that is there, the answer needs no room. */
async function checkExists(sessions: VisibleSessions, sessionId: string): Promise<void> {
  await sessions.view(sessionId).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== "session_not_found") throw error;
    throw new Failure("too_many_sessions", "Every file this process may open is in use; see ulimit -n", { sessionId });
  });
}
