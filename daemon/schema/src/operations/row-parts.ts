import { z } from "zod";
import { SessionId } from "../ids.ts";
import { AgentName } from "../session.ts";

/** Answers: each row spreads one of them, or writes its own status. */
export const json = { answer: "json", status: 200 } as const;
export const sse = { answer: "sse", status: 200 } as const;
export const empty = { answer: "empty", status: 204 } as const;

/** Parameters of the paths. */
export const none = z.object({});
export const agent = z.object({ agent: AgentName });
export const session = z.object({ sessionId: SessionId });

/** A flag in a query string: `?raw`, `?raw=true`, `?raw=1` are true. */
export const Flag = z.stringbool({ truthy: ["true", "1", ""], falsy: ["false", "0"] });
const Sequence = z.coerce.number().int().nonnegative();
export const eventFilter = {
  offset: Sequence.optional().describe("The last sequence seen; 0 is the beginning"),
  raw: Flag.optional().describe("Adds the agent's own message to each event"),
  deltas: Flag.optional().describe("false leaves out item.delta"),
};

/** Problems of every row that names a session. */
export const inSession = ["session_not_found", "session_deleted", "session_unreadable"] as const;
