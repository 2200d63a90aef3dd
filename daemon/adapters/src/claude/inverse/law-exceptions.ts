import type { EventBody, Item, Usage } from "@muster/schema";
import type { Command } from "../../commands.ts";
import { type EventException, isOneOf } from "../../converter/event-exception.ts";
import { titleOf, toolKindOf } from "../read/tools/tools.ts";
import { errorClass, settingsLine } from "./to-native.ts";

/** Where the two-way law does not hold for Claude, and why. */
export const unsayable: readonly EventException[] = [
  {
    what: "session.started, session.ended, message.updated, question.resolved, permission.resolved",
    why: "the daemon makes them; Claude knows of them only by our commands",
    holds: isOneOf("session.started", "session.ended", "message.updated", "question.resolved", "permission.resolved"),
  },
  {
    what: "agent.unparsed",
    why: "it is what has no form in Claude's words",
    holds: isOneOf("agent.unparsed", "log.damaged"),
  },
  {
    what: "question.requested",
    why: "Claude names questions by their text and options by their label; the ids are made here",
    holds: isOneOf("question.requested"),
  },
  {
    what: "permission.requested",
    why: "title, detail and scope are made here from the input of the tool",
    holds: isOneOf("permission.requested"),
  },
  {
    what: "plan.updated",
    why: "Claude's list is the result of a tool, which is three signals more",
    holds: isOneOf("plan.updated"),
  },
  {
    what: "usage.updated",
    why: "it is added up here over all calls of a turn",
    holds: isOneOf("usage.updated"),
  },
  {
    what: "turn.started with origin user",
    why: "it is the answer to a message of ours, the engine has opened it already",
    holds: (body) => body.type === "turn.started" && body.data.origin === "user",
  },
  {
    what: "turn.ended with status uncertain, or failed",
    why: "only the daemon can be uncertain, and a failure is two signals: the error and the end",
    holds: (body) => body.type === "turn.ended" && (body.data.status === "uncertain" || body.data.status === "failed"),
  },
  {
    what: "turn.ended with cause or message",
    why: "a turn that did not fail has neither in Claude's words",
    holds: (body) => body.type === "turn.ended" && (body.data.cause !== undefined || body.data.message !== undefined),
  },
  {
    what: "turn.ended with the output null",
    why: "to Claude null is no structured output",
    holds: (body) => body.type === "turn.ended" && body.data.output === null,
  },
  {
    what: "turn.ended with contextTokens, or with more cached tokens than tokens",
    why: "the context is told by the calls; cached tokens are counted apart and added to the others",
    holds: (body) => body.type === "turn.ended" && !isSayableUsage(body.data.usage),
  },
  {
    what: "session.updated with anything but a title, or the two modes that belong together",
    why: "the rest is spread over the lines of a start and of a turn",
    holds: (body) => body.type === "session.updated" && settingsLine(body.data) === null,
  },
  {
    what: "error with details, or with a code or retryable that Claude has no word for",
    why: "Claude knows seven classes of API errors",
    holds: (body) => body.type === "error" && errorClass(body.data) === undefined,
  },
  {
    what: "item.delta of output, or of an index other than 0",
    why: "Claude does not stream what tools print; every block is an item with one part",
    holds: (body) =>
      body.type === "item.delta" && (body.data.part === "output" || body.data.index !== 0 || body.data.delta === ""),
  },
  {
    what: "items with parentId, background or supersededBy",
    why: "sub-agents are not streamed and their call must be known; Claude never replaces an item",
    holds: (body) => "item" in body.data && !isPlain(body.data.item),
  },
  {
    what: "item.started that is not an empty message or reasoning, or a call with its input",
    why: "only these are begun by a line of their own",
    holds: (body) => body.type === "item.started" && !isStart(body.data.item),
  },
  {
    what: "item.completed that is not one whole text or thought",
    why: "a call ends with its result, which is three signals; a status is begun and ended by one line",
    holds: (body) => body.type === "item.completed" && !isWhole(body.data.item),
  },
];

export const isSayable = (body: EventBody) => !unsayable.some(({ holds }) => holds(body));

function isPlain(item: Item): boolean {
  return item.parentId === undefined && item.background === undefined && item.supersededBy === undefined;
}

function isStart({ kind, role, status, content }: Item): boolean {
  if (role !== "assistant" || status !== "in_progress") return false;
  if (kind === "message" || kind === "reasoning") return content.length === 0;
  const [part] = content;
  if (kind !== "tool_call" || content.length !== 1 || part?.type !== "tool_call") return false;
  return part.toolKind === toolKindOf(part.name) && part.title === titleOf(part.name, part.input, undefined);
}

function isWhole({ kind, role, status, content }: Item): boolean {
  const [part] = content;
  if (role !== "assistant" || (status !== "completed" && status !== "cancelled") || content.length !== 1) return false;
  if (kind === "message") return part?.type === "text";
  return kind === "reasoning" && part?.type === "reasoning" && part.visibility === "public";
}

function isSayableUsage(usage: Usage | undefined): boolean {
  if (usage === undefined) return true;
  return usage.contextTokens === undefined && (usage.cachedInputTokens ?? 0) <= usage.inputTokens;
}

type Question = Extract<Command, { type: "question" }>;

interface Loss {
  what: string;
  why: string;
  holds: (command: Command) => boolean;
  /** What is read back instead. */
  left: (command: Command) => Command | Command[];
}

/** What of a command Claude has no words for. A request it never made is taken for a question of one answer each. */
export const losses: readonly Loss[] = [
  {
    what: "that a message steers",
    why: "to Claude both are the same line; it decides itself whether a message enters the running turn",
    holds: (command) => command.type === "steer",
    left: (command) => ({ ...command, type: "message" }) as Command,
  },
  {
    what: "the words and the edited text beside the answers to a question",
    why: "only a plan has a text to edit, and an answer has no words beside it",
    holds: (command) => command.type === "question" && command.answers !== undefined && Object.keys(command).length > 3,
    left: (command) => pick(command as Question, "answers"),
  },
  {
    what: "the edited text of a question that is declined",
    why: "what is declined is not edited",
    holds: (command) => command.type === "question" && !command.answers && command.editedText !== undefined,
    left: (command) => pick(command as Question, "message"),
  },
  {
    what: "several or no answers to one question",
    why: "to Claude the answer to a question is one text, and no text is no answer",
    holds: (command) => command.type === "question" && (command.answers ?? []).some(({ length }) => length !== 1),
    left: (command) => {
      const { answers = [], ...rest } = command as Question;
      return { ...rest, answers: answers.filter(({ length }) => length > 0).map((values) => [values.join(", ")]) };
    },
  },
  {
    what: "that it is a question which is declined with words",
    why: "Claude hears the same when a permission is declined with these words",
    holds: (command) => command.type === "question" && !command.answers && command.message !== undefined,
    left: (command) => {
      const { requestKey, message = "" } = command as Question;
      return { type: "permission", requestKey, decision: "reject", message };
    },
  },
  {
    what: "the words with which a permission is given",
    why: "Claude hears reasons only for a no",
    holds: (command) => command.type === "permission" && command.decision === "allow" && command.message !== undefined,
    left: (command) => {
      const { requestKey } = command as Extract<Command, { type: "permission" }>;
      return { type: "permission", requestKey, decision: "allow" };
    },
  },
  {
    what: "the agent mode, and that several settings change at once",
    why: "each setting is a line of its own, and planning is a permission mode",
    holds: (command) =>
      command.type === "update" && (command.agentMode !== undefined || Object.keys(command).length !== 2),
    left: (command) => {
      const { model, variant, agentMode, permissionMode } = command as Extract<Command, { type: "update" }>;
      const planned = agentMode === undefined ? undefined : agentMode === "plan" ? "plan" : "default";
      const mode = permissionMode ?? planned;
      return [
        ...(model === undefined ? [] : [{ type: "update" as const, model }]),
        ...(variant === undefined ? [] : [{ type: "update" as const, variant }]),
        ...(mode === undefined ? [] : [{ type: "update" as const, permissionMode: mode }]),
      ];
    },
  },
];

function pick(command: Question, field: "answers" | "message"): Question {
  const { type, requestKey } = command;
  return { type, requestKey, [field]: command[field] };
}
