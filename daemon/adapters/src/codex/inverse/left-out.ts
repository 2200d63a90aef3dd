import type { EventBody } from "@muster/schema";
import type { Command } from "../../commands.ts";
import {
  cutOff,
  endsWith,
  isOneOf,
  type LeftOutTable,
  leaveOut,
  nesting,
  reduceItems,
  requestsIn,
  textOf,
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
    {
      what: "session.updated with anything but a title or a model",
      why: "Codex tells nothing else of a session",
      rest: restOfUpdate,
    },
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
    {
      what: "the message of a permission's answer",
      why: "a decision is one word",
      rest: (command) =>
        command.type === "permission" && command.message !== undefined ? without(command, "message") : command,
    },
    {
      what: "the message and the edited text of answers",
      why: "answers are texts by question; only a refusal has words",
      rest: (command) => {
        if (command.type !== "question") return command;
        const { answers, message, editedText } = command;
        if (editedText === undefined && (answers === undefined || message === undefined)) return command;
        return answers === undefined ? without(command, "editedText") : without(command, "editedText", "message");
      },
    },
    {
      what: "an answer without questions",
      why: "Codex asks at least one, and an answer names each",
      rest: (command) =>
        command.type === "question" && command.answers?.length === 0 ? { ...command, answers: [[]] } : command,
    },
    {
      what: "the type and the name of an attachment",
      why: "an image is a path, and so is what is said of another file",
      rest: (command) => {
        if (!("attachments" in command) || command.attachments.length === 0) return command;
        const attachments = command.attachments.map(({ path, mime }) => ({
          path,
          mime: mime.startsWith("image/") ? "image/*" : "application/octet-stream",
        }));
        return { ...command, attachments };
      },
    },
    {
      what: "the difference between acceptEdits and default",
      why: "both are the same settings; the converter lets edits pass",
      rest: (command) =>
        command.type === "update" && command.permissionMode === "acceptEdits"
          ? { ...command, permissionMode: "default" }
          : command,
    },
    {
      what: "which of our two plan modes was meant, and modes Codex does not have",
      why: "Codex has one plan mode and one other",
      rest: (command) => {
        if (command.type !== "update") return command;
        const { permissionMode, agentMode } = command;
        if (permissionMode !== "plan" && agentMode === undefined) return command;
        return { ...command, agentMode: permissionMode === "plan" || agentMode === "plan" ? "plan" : "default" };
      },
    },
  ],
};

function restOfUpdate(body: EventBody): EventBody | EventBody[] {
  if (body.type !== "session.updated") return body;
  const { title, model, ...others } = body.data;
  if (!title && !model) return [];
  return Object.values(others).every((value) => value === undefined)
    ? body
    : { type: body.type, data: { title, model } };
}

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

function without(command: Command, ...names: string[]): Command {
  return Object.fromEntries(Object.entries(command).filter(([name]) => !names.includes(name))) as Command;
}
