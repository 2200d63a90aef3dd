import type { AttachmentInfo } from "@muster/schema";
import type { Command } from "../../commands.ts";

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
