import type { Body, EventBody, EventType, Item } from "@muster/schema";
import { isRetryable, wordsByCause } from "../read/failures.ts";

/** The one kind of call whose name and input can be said back. */
export const mcpName = /^mcp__(\w+?)__(\w+)$/;

/** Where the two-way law does not hold for this agent, and why. */
export const unsayable: readonly { what: string; why: string; holds: (body: EventBody) => boolean }[] = [
  {
    what: "session.started, session.ended, question.resolved, permission.resolved",
    why: "the daemon makes them; Codex knows of them only by our commands",
    holds: isOneOf("session.started", "session.ended", "question.resolved", "permission.resolved"),
  },
  { what: "agent.unparsed", why: "it is what has no form in the agent's words", holds: isOneOf("agent.unparsed") },
  {
    what: "message.updated",
    why: "Codex tells of a message by the copy of its text, which the event does not have",
    holds: isOneOf("message.updated"),
  },
  {
    what: "permission.requested",
    why: "title and scope are made from the command or the item; a request does not carry them",
    holds: isOneOf("permission.requested"),
  },
  {
    what: "turn.started with origin user",
    why: "it is the answer to a message of ours, the engine has opened it already",
    holds: (body) => body.type === "turn.started" && body.data.origin === "user",
  },
  {
    what: "turn.ended that is uncertain, or tells usage, cost or output",
    why: "turn/completed tells only how it ended; usage has a line of its own",
    holds: (body) =>
      body.type === "turn.ended" &&
      (body.data.status === "uncertain" ||
        body.data.usage !== undefined ||
        body.data.costUsd !== undefined ||
        body.data.output !== undefined),
  },
  {
    what: "turn.ended that was interrupted",
    why: "it is answered, so that the commands it left running end",
    holds: (body) => body.type === "turn.ended" && body.data.status === "interrupted",
  },
  {
    what: "turn.ended whose cause or message Codex has no word for",
    why: "only a failed turn has an error, with a message and one of Codex's words",
    holds: (body) => body.type === "turn.ended" && !isSayableEnd(body),
  },
  {
    what: "session.updated other than a title or a model",
    why: "Codex tells nothing else of a session",
    holds: (body) => body.type === "session.updated" && !isSayableUpdate(body),
  },
  {
    what: "items that are nested, superseded or in the background",
    why: "Codex tells that by the thread they are in, not on the item",
    holds: (body) => "item" in body.data && !isPlain(body.data.item),
  },
  {
    what: "item.started other than empty messages, reasonings and plans of the assistant, and calls of MCP tools",
    why: "text begins empty, and the names and inputs of other calls are made from the fields of their items",
    holds: (body) => body.type === "item.started" && !isBegun(body.data.item),
  },
  {
    what: "item.completed other than whole messages, reasonings and plans of the assistant",
    why: "a message is one text, a reasoning its summary and then its raw text; the end of a call is two items",
    holds: (body) => body.type === "item.completed" && !isWhole(body.data.item),
  },
  {
    what: "item.delta of an input, or at another position than the first",
    why: "Codex tells inputs whole; further parts of a reasoning are counted from those that were told",
    holds: (body) => body.type === "item.delta" && (body.data.part === "input" || body.data.index !== 0),
  },
  {
    what: "plan.updated with priorities or cancelled entries",
    why: "Codex's plans have neither",
    holds: (body) =>
      body.type === "plan.updated" &&
      body.data.entries.some(({ status, priority }) => status === "cancelled" || priority !== undefined),
  },
  {
    what: "usage.updated with a cost, or without one of Codex's numbers",
    why: "Codex knows no prices and always tells cached, reasoning and context tokens",
    holds: (body) => body.type === "usage.updated" && !isSayableUsage(body),
  },
  {
    what: "error with details, with another cause than Codex's, or retryable against its cause",
    why: "whether it is worth trying again is told by the cause; details are made from the status",
    holds: (body) =>
      body.type === "error" &&
      (body.data.details !== undefined ||
        wordsByCause[body.data.code] === undefined ||
        body.data.retryable !== isRetryable(body.data.code)),
  },
  {
    what: "question.requested other than text questions without choices",
    why: "ids of choices are their labels, and several answers, plans and typed answers are unknown to Codex",
    holds: (body) => body.type === "question.requested" && !isSayableQuestion(body),
  },
];

function isPlain({ role, parentId, background, supersededBy }: Item): boolean {
  return role === "assistant" && parentId === undefined && background === undefined && supersededBy === undefined;
}

function isBegun({ kind, status, content }: Item): boolean {
  if (status !== "in_progress") return false;
  if (kind === "message" || kind === "reasoning" || kind === "plan") return content.length === 0;
  const [part] = content;
  if (kind !== "tool_call" || content.length !== 1 || part?.type !== "tool_call") return false;
  return mcpName.test(part.name) && part.toolKind === "other" && part.title === undefined;
}

function isWhole({ kind, status, content }: Item): boolean {
  if (status !== "completed") return false;
  if (kind === "reasoning") {
    const visibilities = content.map((part) => (part.type === "reasoning" ? part.visibility : "none"));
    return (
      !visibilities.includes("none") && visibilities.lastIndexOf("public") <= ifFound(visibilities.indexOf("private"))
    );
  }
  const wanted = { message: "text", plan: "plan" } as const;
  return (kind === "message" || kind === "plan") && content.length === 1 && content[0]?.type === wanted[kind];
}

/** No private part at all is one after every public one. */
const ifFound = (index: number): number => (index < 0 ? Number.POSITIVE_INFINITY : index);

function isSayableEnd({ data: { status, cause, message, workMayHaveContinued } }: Body<"turn.ended">): boolean {
  if (workMayHaveContinued !== undefined) return false;
  if (status === "completed") return cause === undefined && message === undefined;
  return cause !== undefined && message !== undefined && wordsByCause[cause] !== undefined;
}

function isSayableUpdate({ data }: Body<"session.updated">): boolean {
  const names = Object.keys(data);
  if (names.length !== 1) return false;
  return names[0] === "model" ? data.model !== "" : names[0] === "title" && data.title !== "";
}

function isSayableUsage({ data }: Body<"usage.updated">): boolean {
  const { cachedInputTokens, reasoningTokens, contextTokens, costUsd } = data;
  const tells = cachedInputTokens !== undefined && reasoningTokens !== undefined && contextTokens !== undefined;
  return tells && costUsd === undefined;
}

function isSayableQuestion({ data }: Body<"question.requested">): boolean {
  const { kind, itemId, questions, allowedPrompts } = data;
  if (kind !== "question" || itemId !== undefined || allowedPrompts !== undefined) return false;
  return questions.every(
    ({ type, options, multiSelect, allowCustom, header, body, secret }) =>
      type === "string" &&
      options.length === 0 &&
      !multiSelect &&
      allowCustom &&
      header !== "" &&
      body === undefined &&
      secret !== false,
  );
}

function isOneOf(...types: EventType[]): (body: EventBody) => boolean {
  return (body) => types.includes(body.type);
}
