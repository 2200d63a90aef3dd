import type { Body, EventBody } from "@muster/schema";
import type { Command } from "../../commands.ts";
import {
  endsWith,
  isOneOf,
  isSpoken,
  type LeftOutTable,
  leaveOut,
  plans,
  reduceItems,
  requestsIn,
  usuallyLeftOut,
} from "../../converter/left-out.ts";

/** What Claude has no words for. */
export const claudeLeftOut: LeftOutTable = {
  events: [
    ...usuallyLeftOut,
    plans,
    ...requestsIn("execute", "edit", "read", "fetch", "mcp"),
    endsWith("to Claude a turn ends well, is stopped or fails", "usage", "costUsd", "output"),
    leaveOut(
      "plan.updated, usage.updated",
      "Claude's list is the result of one of its tools, and usage is told at the end of a turn",
      isOneOf("plan.updated", "usage.updated"),
    ),
    {
      what: "session.updated with anything but a title or a permission mode",
      why: "planning is one of Claude's permission modes; a model is told when the next turn begins",
      rest: restOfUpdate,
    },
    leaveOut(
      "output of a tool while it runs",
      "Claude does not stream what tools print",
      (body) => body.type === "item.delta" && body.data.part === "output",
    ),
    reduceItems(
      "what a status is called, and whose it is",
      "it is told as information",
      ({ kind }) => kind === "status",
      (item) => ({ ...item, parentId: undefined, content: [] }),
    ),
    reduceItems(
      "that a text failed",
      "it is cut off",
      ({ kind, status }) => isSpoken(kind) && status === "failed",
      (item) => ({ ...item, status: "cancelled" }),
    ),
    {
      what: "contextTokens of a turn, and an output that is null",
      why: "the context is told by the calls of the model; to Claude null is no output",
      rest: restOfEnd,
    },
  ],
  input: [
    {
      what: "that a message steers",
      why: "to Claude both are the same line; it decides itself whether a message enters the running turn",
      rest: (command) => (command.type === "steer" ? { ...command, type: "message" } : command),
    },
    {
      what: "words and an edited text beside the answers to a question, and an edited text of one that is declined",
      why: "only a plan has a text to edit, and an answer has no words beside it",
      rest: (command) => (command.type === "question" ? withoutWords(command) : command),
    },
    {
      what: "several or no answers to one question",
      why: "to Claude the answer to a question is one text, and no text is no answer",
      rest: (command) => (command.type === "question" ? withSingleAnswers(command) : command),
    },
    {
      what: "that it is a question which is declined with words",
      why: "Claude hears the same when a permission is declined with these words",
      rest: (command) => {
        if (command.type !== "question" || command.answers || command.message === undefined) return command;
        const { requestKey, message } = command;
        return { type: "permission", requestKey, decision: "reject", message };
      },
    },
    {
      what: "the words with which a permission is given",
      why: "Claude hears reasons only for a no",
      rest: (command) => {
        if (command.type !== "permission" || command.decision === "reject" || !("message" in command)) return command;
        return { type: "permission", requestKey: command.requestKey, decision: "allow" };
      },
    },
    {
      what: "the agent mode, and that several settings change at once",
      why: "each setting is a line of its own, and planning is a permission mode",
      rest: (command) => (command.type === "update" ? singleUpdates(command) : command),
    },
  ],
};

function restOfUpdate(body: EventBody): EventBody | EventBody[] {
  if (body.type !== "session.updated") return body;
  const { title, permissionMode, ...others } = body.data;
  if (title === undefined && permissionMode === undefined) return [];
  if (Object.values(others).every((value) => value === undefined)) return body;
  return { type: "session.updated", data: { title, permissionMode } };
}

function restOfEnd(body: EventBody): EventBody {
  if (body.type !== "turn.ended") return body;
  const { usage, output } = body.data;
  if (usage?.contextTokens === undefined && output !== null) return body;
  const told: Body<"turn.ended">["data"] = { ...body.data, output: output ?? undefined };
  return { type: "turn.ended", data: usage ? { ...told, usage: { ...usage, contextTokens: undefined } } : told };
}

type Question = Extract<Command, { type: "question" }>;

function withoutWords(command: Question): Question {
  const { type, requestKey, answers, message, editedText } = command;
  if (answers === undefined) return editedText === undefined ? command : { type, requestKey, message };
  return message === undefined && editedText === undefined ? command : { type, requestKey, answers };
}

function withSingleAnswers(command: Question): Question {
  const { answers = [] } = command;
  if (answers.every(({ length }) => length === 1)) return command;
  return { ...command, answers: answers.flatMap((values) => (values.length > 0 ? [[values.join(", ")]] : [])) };
}

function singleUpdates(command: Extract<Command, { type: "update" }>): Command | Command[] {
  const { model, variant, agentMode, permissionMode } = command;
  if (agentMode === undefined && Object.keys(command).length === 2) return command;
  const planned = agentMode === undefined ? undefined : agentMode === "plan" ? "plan" : "default";
  const mode = permissionMode ?? planned;
  return [
    ...(model === undefined ? [] : [{ type: "update" as const, model }]),
    ...(variant === undefined ? [] : [{ type: "update" as const, variant }]),
    ...(mode === undefined ? [] : [{ type: "update" as const, permissionMode: mode }]),
  ];
}
