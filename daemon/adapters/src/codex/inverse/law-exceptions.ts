import type { AttachmentInfo, Body, EventBody, Item } from "@muster/schema";
import type { Command } from "../../commands.ts";
import { type EventException, isOneOf } from "../../converter/event-exception.ts";
import { isRetryable, wordsByCause } from "../read/failures.ts";

/** The one kind of call whose name and input can be said back. */
export const mcpName = /^mcp__(\w+?)__(\w+)$/;

/** Where the two-way law does not hold for this agent, and why. */
export const unsayable: readonly EventException[] = [
  {
    what: "session.started, session.ended, question.resolved, permission.resolved",
    why: "the daemon makes them; Codex knows of them only by our commands",
    holds: isOneOf("session.started", "session.ended", "question.resolved", "permission.resolved"),
  },
  {
    what: "agent.unparsed",
    why: "it is what has no form in the agent's words",
    holds: isOneOf("agent.unparsed", "log.damaged"),
  },
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

export const isSayable = (body: EventBody) => !unsayable.some(({ holds }) => holds(body));

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
  const { model, title, ...others } = data;
  if (Object.values(others).some((value) => value !== undefined)) return false;
  return title === undefined ? model !== undefined && model !== "" : model === undefined && title !== "";
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

/** What of our commands Codex has no words for, and what is left of them when they are read back. */
export const losses: readonly {
  what: string;
  why: string;
  holds: (command: Command) => boolean;
  left: (command: Command) => Command;
}[] = [
  {
    what: "the message of a permission's answer",
    why: "a decision is one word",
    holds: (command) => command.type === "permission" && command.message !== undefined,
    left: (command) => without(command, "message"),
  },
  {
    what: "the message and the edited text of answers",
    why: "answers are texts by question; only a refusal has words",
    holds: (command) =>
      command.type === "question" &&
      (command.editedText !== undefined || (command.answers !== undefined && command.message !== undefined)),
    left: (command) =>
      command.type === "question" && command.answers === undefined
        ? without(command, "editedText")
        : without(command, "editedText", "message"),
  },
  {
    what: "an answer without questions",
    why: "Codex asks at least one, and an answer names each",
    holds: (command) => command.type === "question" && command.answers?.length === 0,
    left: (command) => (command.type === "question" ? { ...command, answers: [[]] } : command),
  },
  {
    what: "the type and the name of an attachment",
    why: "an image is a path, and so is what is said of another file",
    holds: (command) => "attachments" in command && command.attachments.length > 0,
    left: (command) =>
      "attachments" in command ? { ...command, attachments: command.attachments.map(plainAttachment) } : command,
  },
  {
    what: "the difference between acceptEdits and default",
    why: "both are the same settings; the converter lets edits pass",
    holds: (command) => command.type === "update" && command.permissionMode === "acceptEdits",
    left: (command) => ({ ...command, permissionMode: "default" }) as Command,
  },
  {
    what: "which of our two plan modes was meant, and modes Codex does not have",
    why: "Codex has one plan mode and one other",
    holds: (command) =>
      command.type === "update" && (command.permissionMode === "plan" || command.agentMode !== undefined),
    left: (command) => {
      if (command.type !== "update") return command;
      const isPlan = command.permissionMode === "plan" || command.agentMode === "plan";
      return { ...command, agentMode: isPlan ? "plan" : "default" };
    },
  },
];

function without(command: Command, ...names: string[]): Command {
  return Object.fromEntries(Object.entries(command).filter(([name]) => !names.includes(name))) as Command;
}

function plainAttachment({ path, mime }: AttachmentInfo): AttachmentInfo {
  return { path, mime: mime.startsWith("image/") ? "image/*" : "application/octet-stream" };
}
