import type { Body, EventBody, Item, Part } from "@muster/schema";
import type { Command } from "../../commands.ts";
import { type EventException, isOneOf } from "../../converter/event-exception.ts";
import { codeOf } from "../read/failures.ts";
import { permissionOf } from "../read/on-ask.ts";
import { nativeMode } from "../wire/modes.ts";
import { titleOf, toolKindOf } from "../wire/tools.ts";

/** Where the two-way law does not hold for Codebuff, and why. */
export const unsayable: readonly EventException[] = [
  {
    what: "session.started, session.ended, question.resolved, permission.resolved, log.damaged",
    why: "the daemon makes them; Codebuff's start and finish are told as the turn they begin and end",
    holds: isOneOf("session.started", "session.ended", "question.resolved", "permission.resolved", "log.damaged"),
  },
  { what: "agent.unparsed", why: "it is what has no form in Codebuff's words", holds: isOneOf("agent.unparsed") },
  {
    what: "message.updated other than joined",
    why: "Codebuff tells of a message only that it entered the run",
    holds: (body) => body.type === "message.updated" && body.data.status !== "joined",
  },
  {
    what: "turn.started with origin user",
    why: "it is the answer to a message of ours, the engine has opened it already",
    holds: (body) => body.type === "turn.started" && body.data.origin === "user",
  },
  {
    what: "turn.ended with status uncertain, a message, an output, or a cause its status does not tell",
    why: "a finish has a status; why it failed is told by the error before it",
    holds: (body) => body.type === "turn.ended" && !isEnd(body.data),
  },
  {
    what: "session.updated",
    why: "session and model are told by the line that begins a run",
    holds: isOneOf("session.updated"),
  },
  {
    what: "usage.updated",
    why: "usage is told once, with the end of a run",
    holds: isOneOf("usage.updated"),
  },
  {
    what: "plan.updated and question.requested",
    why: "both are calls of tools, which are two signals",
    holds: isOneOf("plan.updated", "question.requested"),
  },
  {
    what: "permission.requested with fields Codebuff has no place for, or a title or scope that does not follow from the rest",
    why: "title, diff and scope are made here; the item is the one of the call that the line names",
    holds: (body) => body.type === "permission.requested" && !isPermission(body.data),
  },
  {
    what: "error with details, or with a code or retryable that Codebuff has no word for",
    why: "Codebuff has a table of codes",
    holds: (body) =>
      body.type === "error" && (body.data.details !== undefined || codeOf(wordsOf(body.data)) === undefined),
  },
  {
    what: "item.delta of input, of an index other than 0, or of nothing",
    why: "a call is told whole; every item has one part",
    holds: (body) =>
      body.type === "item.delta" && (body.data.part === "input" || body.data.index !== 0 || body.data.delta === ""),
  },
  {
    what: "item.started that is not a call with its input, or a sub-agent",
    why: "texts and thoughts begin with their first piece, which is two signals",
    holds: (body) =>
      body.type === "item.started" && !isCall(body.data.item) && !isSubagent(body.data.item, "in_progress"),
  },
  {
    what: "item.completed that is not a sub-agent",
    why: "texts end with whatever comes next; a call ends with its result, which is three signals",
    holds: (body) => body.type === "item.completed" && !isSubagent(body.data.item, "completed"),
  },
];

export const isSayable = (body: EventBody) => !unsayable.some(({ holds }) => holds(body));

const wordsOf = ({ code: cause, retryable }: Body<"error">["data"]) => ({ cause, retryable });

function isEnd({ status, cause, message, output, usage }: Body<"turn.ended">["data"]): boolean {
  if (message !== undefined || output !== undefined) return false;
  if (usage?.contextTokens !== undefined || usage?.contextWindow !== undefined) return false;
  if (status === "completed" || status === "interrupted") return cause === undefined;
  return status === "failed" && (cause === "agent_error" || cause === "max_steps" || cause === "turn_timeout");
}

function isPermission(data: Body<"permission.requested">["data"]): boolean {
  const { action, title, detail = {}, itemId, expiresAt, alwaysScope } = data;
  const { command, paths, diff, url, reason, ...others } = detail;
  if (itemId !== undefined || expiresAt !== undefined) return false;
  if (Object.values(others).some((value) => value !== undefined)) return false;
  if (data.detail === undefined) return false;
  const made = permissionOf({ toolCallId: "none", action, title, command, paths, diff, url, reason }, undefined);
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return (
    isSame(made.alwaysScope, alwaysScope) &&
    made.title === title &&
    made.detail.diff === diff &&
    isSame(made.detail.paths, paths)
  );
}

function isPlain({ parentId, background, supersededBy }: Item): boolean {
  return parentId === undefined && background === undefined && supersededBy === undefined;
}

const askingTools = new Set(["ask_user", "write_todos", "add_subgoal", "update_subgoal"]);

function isCall(item: Item): boolean {
  const [part, ...others] = item.content;
  if (item.kind !== "tool_call" || item.role !== "assistant" || item.status !== "in_progress") return false;
  if (!isPlain(item) || others.length > 0 || part?.type !== "tool_call" || askingTools.has(part.name)) return false;
  if (!isRecord(part.input)) return false;
  return part.toolKind === toolKindOf(part.name) && part.title === titleOf(part.name, part.input, undefined);
}

function isSubagent(item: Item, status: Item["status"]): boolean {
  const [label, info, ...others] = item.content;
  if (item.kind !== "status" || item.role !== "system" || item.status !== status || others.length > 0) return false;
  return isPlain(item) && label?.type === "status" && isInfo(info);
}

function isInfo(part: Part | undefined): boolean {
  if (part?.type !== "json" || !isRecord(part.json)) return false;
  const { agentType, model = "", params = {}, ...others } = part.json;
  if (typeof agentType !== "string" || typeof model !== "string" || !isRecord(params)) return false;
  return Object.keys(others).length === 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Loss {
  what: string;
  why: string;
  holds: (command: Command) => boolean;
  /** What is read back instead. */
  left: (command: Command) => Command | Command[];
}

type Question = Extract<Command, { type: "question" }>;
type Update = Extract<Command, { type: "update" }>;

/** What of a command Codebuff has no words for. */
export const losses: readonly Loss[] = [
  {
    what: "that a message steers",
    why: "both are the same line; Codebuff takes it into the run that is going on, or begins one",
    holds: (command) => command.type === "steer",
    left: (command) => ({ ...command, type: "message" }) as Command,
  },
  {
    what: "the words beside the answers to a question, and an edited text",
    why: "only a plan has a text to edit, and an answer has no words beside it",
    holds: (command) =>
      command.type === "question" &&
      (command.editedText !== undefined || (command.answers !== undefined && command.message !== undefined)),
    left: (command) => {
      const { editedText: _, message, ...rest } = command as Question;
      return rest.answers === undefined && message !== undefined ? { ...rest, message } : rest;
    },
  },
  {
    what: "a mode Codebuff does not have",
    why: "it is refused before it is sent",
    holds: (command) =>
      command.type === "update" && command.agentMode !== undefined && nativeMode(command.agentMode) === undefined,
    left: (command) => {
      const { agentMode: _, ...rest } = command as Update;
      return rest;
    },
  },
];
