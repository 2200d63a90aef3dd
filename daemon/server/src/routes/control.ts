import type { Routes } from "./route.ts";

export const controlRoutes = {
  "sessions.interrupt": async ({ params, body }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    return session.interrupt(body).then(() => undefined);
  },
  "sessions.terminate": async ({ params }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    return session.terminate().then(() => undefined);
  },
} satisfies Partial<Routes>;
