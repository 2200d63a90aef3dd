import type { EventBody, EventType, Item, Part } from "@muster/schema";

/** What an agent has no line for, and why. */
export interface EventException {
  what: string;
  why: string;
  holds: (body: EventBody, isInTurn?: boolean) => boolean;
  /** The rest of the event is written all the same. */
  partly?: true;
}

export function isOneOf(...types: EventType[]): (body: EventBody) => boolean {
  return (body) => types.includes(body.type);
}

/** An event that completes an item for which this is true. */
export function whenCompleted(test: (item: Item) => boolean): (body: EventBody) => boolean {
  return (body) => body.type === "item.completed" && test(body.data.item);
}

/** Left out of the lines of every agent. */
export const daemonsOwn: readonly EventException[] = [
  {
    what: "session.started, session.ended, message.updated",
    why: "the daemon makes them; agents know of them only by our commands",
    holds: isOneOf("session.started", "session.ended", "message.updated"),
  },
  {
    what: "requests of the agent and their answers",
    why: "a reader of lines cannot answer them, and an agent's own request would wait for it",
    holds: isOneOf("question.requested", "question.resolved", "permission.requested", "permission.resolved"),
  },
  {
    what: "agent.unparsed",
    why: "it is another agent's line that nobody understood",
    holds: isOneOf("agent.unparsed", "log.damaged"),
  },
];

/** What stands beside the output in the result of a tool. */
const besideResults: EventException = {
  what: "files, pictures, exit codes and structured values beside the output of a tool",
  why: "agents tell them in fields of their own tools; another agent's tools have none",
  holds: whenCompleted(
    ({ kind, content }) => kind === "tool_result" && (content.length > 1 || content.some(hasMoreThanOutput)),
  ),
  partly: true,
};

const background: EventException = {
  what: "that a call goes on after its turn",
  why: "the lines of the agent end a call with its turn",
  holds: whenCompleted((item) => item.background === true),
  partly: true,
};

const afterTurn: EventException = {
  what: "items after their turn",
  why: "a line after the end of a turn would begin another one",
  holds: (body, isInTurn = true) => !isInTurn && ("item" in body.data || body.type === "item.delta"),
};

const attached: EventException = {
  what: "pictures and files in a message",
  why: "agents are given them and do not tell them",
  holds: whenCompleted(
    ({ kind, content }) => kind === "message" && content.some(({ type }) => type === "image" || type === "file"),
  ),
  partly: true,
};

/** Left out of the lines of every agent that is not ours. */
export const usuallyLeftOut: readonly EventException[] = [
  ...daemonsOwn,
  besideResults,
  background,
  afterTurn,
  attached,
];

export const nesting: EventException = {
  what: "which sub-agent an item belongs to",
  why: "the item is told in the conversation itself",
  holds: whenCompleted(({ parentId }) => parentId !== undefined),
  partly: true,
};

function hasMoreThanOutput(part: Part): boolean {
  return part.type === "tool_result" && (part.exitCode !== undefined || part.json !== undefined);
}
