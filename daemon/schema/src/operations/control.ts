import { z } from "zod";
import { InterruptSession } from "../session.ts";
import type { Operation } from "./operation.ts";
import { empty, inSession, session } from "./row-parts.ts";

export const controlOperations = {
  "sessions.interrupt": {
    method: "POST",
    path: "/sessions/{sessionId}/interrupt",
    summary: "Ends the open turn",
    description: "Returns when the turn has ended, or at once when none is open. What the agent has done so far stays.",
    params: session,
    body: InterruptSession,
    ...empty,
    cli: ["sessions", "interrupt"],
    scope: "work",
    problems: [...inSession],
  },
  "sessions.terminate": {
    method: "POST",
    path: "/sessions/{sessionId}/terminate",
    summary: "Ends the agent's life; a later message starts a new one",
    description:
      "Ends the agent's process and what it started. The conversation stays, and the agent goes on with it where it can.",
    params: session,
    body: z.object({}),
    ...empty,
    cli: ["sessions", "terminate"],
    scope: "work",
    problems: [...inSession],
  },
} as const satisfies Record<string, Operation>;
