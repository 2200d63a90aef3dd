import { z } from "zod";
import { InterruptSession } from "../session.ts";
import type { Operation } from "./operation.ts";
import { empty, inSession, session } from "./row-parts.ts";

export const controlOperations = {
  "sessions.interrupt": {
    method: "POST",
    path: "/sessions/{sessionId}/interrupt",
    summary: "Ends the open turn",
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
    params: session,
    body: z.object({}),
    ...empty,
    cli: ["sessions", "terminate"],
    scope: "work",
    problems: [...inSession],
  },
} as const satisfies Record<string, Operation>;
