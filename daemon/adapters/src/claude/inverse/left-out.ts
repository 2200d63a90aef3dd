import type { Body, EventBody } from "@muster/schema";
import type { Command } from "../../commands.ts";
import {
  endsWith,
  isOneOf,
  isSpoken,
  type LeftOutTable,
  leaveOf,
  leaveOut,
  plans,
  reduceItems,
  requestsIn,
  steering,
  updatesOf,
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
    updatesOf(
      "planning is one of Claude's permission modes; a model is told when the next turn begins",
      "title",
      "permissionMode",
    ),
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
    steering("to Claude both are the same line; it decides itself whether a message enters the running turn"),
    leaveOf(
      "question",
      "words and an edited text beside answers, an edited text of what is declined, several or no answers to a question",
      "only a plan has a text to edit, an answer has no words beside it, and is one text; no text is no answer",
      (command) => {
        const { type, requestKey, answers, message, editedText, stops } = command;
        if (answers === undefined) return editedText === undefined ? command : { type, requestKey, message, stops };
        const isSingle = answers.every(({ length }) => length === 1);
        if (isSingle && message === undefined && editedText === undefined) return command;
        const single = answers.flatMap((values) => (values.length > 0 ? [[values.join(", ")]] : []));
        return { type, requestKey, answers: single };
      },
    ),
    leaveOf(
      "question",
      "that it is a question which is declined with words",
      "Claude hears the same when a permission is declined with these words",
      (command) => {
        const { requestKey, answers, message, stops } = command;
        if (answers || message === undefined) return command;
        return { type: "permission", requestKey, decision: "reject", message, stops };
      },
    ),
    leaveOf(
      "permission",
      "the words with which a permission is given",
      "Claude hears reasons only for a no",
      (command) =>
        command.decision === "reject" || command.message === undefined ? command : { ...command, message: undefined },
    ),
    leaveOf(
      "update",
      "the agent mode, and that several settings change at once",
      "each setting is a line of its own, and planning is a permission mode",
      singleUpdates,
    ),
  ],
};

function restOfEnd(body: EventBody): EventBody {
  if (body.type !== "turn.ended") return body;
  const { usage, output } = body.data;
  if (usage?.contextTokens === undefined && output !== null) return body;
  const told: Body<"turn.ended">["data"] = { ...body.data, output: output ?? undefined };
  return { type: "turn.ended", data: usage ? { ...told, usage: { ...usage, contextTokens: undefined } } : told };
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
