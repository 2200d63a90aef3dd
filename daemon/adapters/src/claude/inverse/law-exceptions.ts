import type { Command } from "../../commands.ts";

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
  return { type, requestKey, ...(command[field] === undefined ? {} : { [field]: command[field] }) };
}
