import { Failure } from "@muster/schema/wire";
import type { Routes } from "./route.ts";

export const timeMachineRoutes = {
  "sessions.rewind": async ({ params, body }, { sessions }) => (await sessions.get(params.sessionId)).rewind(body),
  "sessions.undoRewind": async ({ params, body }, { sessions }) =>
    (await sessions.get(params.sessionId)).undoRewind(body),
  "sessions.fork": async ({ params, body }, { sessions, reserveSession }) => {
    const releases = Array.from({ length: body.times ?? 1 }, () => reserveSession());
    try {
      if (releases.includes(undefined)) {
        throw new Failure("too_many_sessions", "Every file this process may open is in use; see ulimit -n");
      }
      return await sessions.fork(params.sourceId, body);
    } finally {
      for (const release of releases) release?.();
    }
  },
  "sessions.handOver": ({ params, body }, { sessions }) => sessions.handOver(params.sessionId, body),
  "sessions.changes": async ({ params, query }, { sessions }) => {
    const { from, to, other } = query;
    const session = await sessions.get(params.sessionId);
    if (other === undefined) return session.changes({ from: from ?? 0, to });
    return session.compare(await sessions.get(other), { from, to });
  },
} satisfies Partial<Routes>;
