import type { EventType } from "@muster/schema";

/** By hand, because the table of the schema comes with all of its checks; `satisfies` finds a name that is wrong. */
export const eventKinds = [
  "session.started",
  "session.updated",
  "session.ended",
  "session.rewound",
  "session.forked",
  "agent.changed",
  "message.updated",
  "turn.started",
  "turn.ended",
  "item.started",
  "item.delta",
  "item.completed",
  "question.requested",
  "question.resolved",
  "permission.requested",
  "permission.resolved",
  "plan.updated",
  "usage.updated",
  "budget.warned",
  "snapshot.skipped",
  "error",
  "agent.unparsed",
  "log.damaged",
] as const satisfies readonly EventType[];

/** Does not compile when the schema has an event that is missing above. */
type Missing = Exclude<EventType, (typeof eventKinds)[number]>;
type AllKindsAreListed = Missing extends never ? true : { missing: Missing };
const isComplete: AllKindsAreListed = true;
void isComplete;
