import type { EventBody } from "@muster/schema";
import {
  cutOff,
  endsWith,
  isOneOf,
  type LeftOutTable,
  leaveOf,
  leaveOut,
  nesting,
  reduceItems,
  requestsIn,
  stopping,
  textOf,
  updatesOf,
  usuallyLeftOut,
} from "../../converter/left-out.ts";

/** What Codex has no words for. */
export const codexLeftOut: LeftOutTable = {
  events: [
    ...usuallyLeftOut,
    nesting,
    cutOff,
    ...requestsIn("execute", "edit", "fetch", "mcp"),
    endsWith("to Codex a turn ends well, is stopped or fails; a thread has totals"),
    leaveOut(
      "usage.updated",
      "Codex tells the totals of a thread, and a session has those of its turns",
      isOneOf("usage.updated"),
    ),
    updatesOf("Codex tells nothing else of a session", "title", "model"),
    leaveOut(
      "input of a tool while it is written",
      "Codex tells inputs whole",
      (body) => body.type === "item.delta" && body.data.part === "input",
    ),
    {
      what: "priorities of a list, and which of its entries are cancelled",
      why: "an entry of Codex's is to be done, under way or done",
      rest: restOfPlan,
    },
    reduceItems(
      "what a status is called",
      "it is told as a warning",
      ({ kind }) => kind === "status",
      (item) => ({ ...item, content: [] }),
    ),
    reduceItems(
      "that a message has several parts",
      "it is told as one text",
      ({ kind, content }) => kind === "message" && content.length > 1,
      (item) => ({ ...item, content: [{ type: "text", text: textOf(item.content) }] }),
    ),
  ],
  input: [
    stopping(
      "that a question is declined by an interrupt",
      "a question is declined by an error, which has no word for it",
      (no) => (no.type === "question" ? { ...no, stops: undefined } : no),
    ),
    leaveOf("permission", "the message of a permission's answer", "a decision is one word", (command) =>
      command.message === undefined ? command : { ...command, message: undefined },
    ),
    leaveOf(
      "question",
      "the message and the edited text of answers, and an answer without questions",
      "answers are texts by question, and Codex asks at least one; only a refusal has words",
      (command) => {
        const { type, requestKey, answers, message, editedText } = command;
        if (answers === undefined) return editedText === undefined ? command : { type, requestKey, message };
        if (message === undefined && editedText === undefined && answers.length > 0) return command;
        return { type, requestKey, answers: answers.length === 0 ? [[]] : answers };
      },
    ),
    {
      what: "the type and the name of an attachment",
      why: "an image is a path, and so is what is said of another file",
      rest: (command) => {
        if (!("attachments" in command) || command.attachments.length === 0) return command;
        const plain = (mime: string) => (mime.startsWith("image/") ? "image/*" : "application/octet-stream");
        return { ...command, attachments: command.attachments.map(({ path, mime }) => ({ path, mime: plain(mime) })) };
      },
    },
    leaveOf(
      "update",
      "the difference between acceptEdits and default, which of our two plan modes was meant, and other modes",
      "acceptEdits has the settings of default, the converter lets edits pass; Codex has one plan mode and one other",
      (command) => {
        const { permissionMode: mode, agentMode } = command;
        const isPlan = mode === "plan" || agentMode === "plan";
        if (mode !== "acceptEdits" && mode !== "plan" && agentMode === undefined) return command;
        const permissionMode = mode === "acceptEdits" ? "default" : mode;
        const told = isPlan ? "plan" : agentMode === undefined ? undefined : "default";
        return { ...command, permissionMode, agentMode: told };
      },
    ),
  ],
};

function restOfPlan(body: EventBody): EventBody {
  if (body.type !== "plan.updated") return body;
  const { entries } = body.data;
  if (entries.every(({ status, priority }) => status !== "cancelled" && priority === undefined)) return body;
  const rest = entries.map(({ content, status }) => ({
    content,
    status: status === "cancelled" ? ("completed" as const) : status,
  }));
  return { type: body.type, data: { entries: rest } };
}
