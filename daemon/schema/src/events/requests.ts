import { PermissionRequested, PermissionResolved, QuestionRequested, QuestionResolved } from "../requests.ts";

export const requestEvents = {
  "question.requested": QuestionRequested,
  "question.resolved": QuestionResolved,
  "permission.requested": PermissionRequested,
  "permission.resolved": PermissionResolved,
} as const;
