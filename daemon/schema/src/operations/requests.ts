import { z } from "zod";
import { PendingRequests, RejectQuestion, ReplyPermission, ReplyQuestion } from "../requests.ts";
import type { Operation } from "./operation.ts";
import { empty, inSession, json, session } from "./row-parts.ts";

const question = session.extend({ questionId: z.string().describe("The id in question.requested") });
const permission = session.extend({ permissionId: z.string().describe("The id in permission.requested") });

export const requestOperations = {
  "sessions.listRequests": {
    method: "GET",
    path: "/sessions/{sessionId}/requests",
    summary: "Questions and permissions that wait for a person",
    description: "What a person is asked right now, also when the events were read by somebody else.",
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
    description:
      "Later answers get 409 already_resolved. A plan is answered with approve, approve_edits or reject, or in words.",
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
    description: "The agent is told, and goes on without an answer.",
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
    description: "Later answers get 409 already_resolved. What always grants is listed in the request's alwaysScope.",
    params: permission,
    body: ReplyPermission,
    ...empty,
    cli: ["sessions", "reply-permission"],
    scope: "answer",
    problems: [...inSession, "request_not_found", "already_resolved"],
  },
} as const satisfies Record<string, Operation>;
