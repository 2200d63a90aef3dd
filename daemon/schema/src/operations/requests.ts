import { z } from "zod";
import { PendingRequests, RejectQuestion, ReplyPermission, ReplyQuestion } from "../requests.ts";
import type { Operation } from "./operation.ts";
import { empty, inSession, json, session } from "./row-parts.ts";

const question = session.extend({ questionId: z.string() });
const permission = session.extend({ permissionId: z.string() });

export const requestOperations = {
  "sessions.listRequests": {
    method: "GET",
    path: "/sessions/{sessionId}/requests",
    summary: "Questions and permissions that wait for a person",
    params: session,
    ...json,
    response: PendingRequests,
    cli: ["sessions", "list-requests"],
    scope: "read",
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
    scope: "answer",
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
    scope: "answer",
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
    scope: "answer",
    problems: [...inSession, "request_not_found", "already_resolved"],
  },
} as const satisfies Record<string, Operation>;
