import type { EventBody } from "@muster/schema";
import { type EventException, isOneOf } from "../../converter/event-exception.ts";

/** Where the two-way law does not hold for this agent, and why. */
export const unsayable: readonly EventException[] = [
  {
    what: "session.started, session.ended, question.resolved, permission.resolved",
    why: "the daemon makes them; the agent knows of them only by our commands",
    holds: isOneOf("session.started", "session.ended", "question.resolved", "permission.resolved"),
  },
  {
    what: "agent.unparsed",
    why: "it is what has no form in the agent's words",
    holds: isOneOf("agent.unparsed", "log.damaged"),
  },
  {
    what: "message.updated other than joined",
    why: "the agent only tells that a message joined its turn",
    holds: (body) => body.type === "message.updated" && body.data.status !== "joined",
  },
  {
    what: "turn.started with origin user",
    why: "it is the answer to a message of ours, the engine has opened it already",
    holds: (body) => body.type === "turn.started" && body.data.origin === "user",
  },
  {
    what: "turn.ended with status uncertain",
    why: "only the daemon can be uncertain",
    holds: (body) => body.type === "turn.ended" && body.data.status === "uncertain",
  },
  {
    what: "session.updated with agentState",
    why: "sleep is the daemon's decision",
    holds: (body) => body.type === "session.updated" && body.data.agentState !== undefined,
  },
  {
    what: "items with supersededBy",
    why: "the agent never replaces an item",
    holds: (body) => "item" in body.data && body.data.item.supersededBy !== undefined,
  },
];

export const isSayable = (body: EventBody) => !unsayable.some(({ holds }) => holds(body));
