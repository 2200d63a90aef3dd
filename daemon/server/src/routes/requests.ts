import type { Routes } from "./route.ts";

export const requestRoutes = {
  "sessions.listRequests": async ({ params }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    return session.requests.pending();
  },
  "sessions.replyQuestion": async ({ params, body }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    return session.requests.replyQuestion(params.questionId, body).then(() => undefined);
  },
  "sessions.rejectQuestion": async ({ params, body }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    return session.requests.rejectQuestion(params.questionId, body).then(() => undefined);
  },
  "sessions.replyPermission": async ({ params, body }, { sessions }) => {
    const session = await sessions.get(params.sessionId);
    return session.requests.replyPermission(params.permissionId, body).then(() => undefined);
  },
} satisfies Partial<Routes>;
