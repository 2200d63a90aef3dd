import {
  cutOff,
  endsWith,
  isOneOf,
  type LeftOutTable,
  leaveOf,
  leaveOut,
  nesting,
  plainNo,
  plans,
  usuallyLeftOut,
} from "../../converter/left-out.ts";

/** What Amp has no words for. */
export const ampLeftOut: LeftOutTable = {
  events: [
    ...usuallyLeftOut,
    nesting,
    plans,
    cutOff,
    endsWith("to Amp a turn ends well, is stopped or fails; usage is told with a message"),
    leaveOut(
      "questions and permissions",
      "Amp asks no questions; its permissions are asked by a program of ours",
      isOneOf("question.requested", "question.resolved", "permission.requested", "permission.resolved"),
    ),
    leaveOut(
      "session.updated, plan.updated, usage.updated, error",
      "Amp tells a failure at the end of its turn; its todo list is the input of a tool, and usage is told with a message",
      isOneOf("session.updated", "plan.updated", "usage.updated", "error"),
    ),
    leaveOut("item.delta", "Amp tells texts, inputs and outputs as a whole", isOneOf("item.delta")),
    leaveOut(
      "status items",
      "Amp has no line for a remark",
      (body) => "item" in body.data && body.data.item.kind === "status",
    ),
  ],
  input: [
    plainNo,
    {
      what: "the id of a message, and that it steers",
      why: "a prompt is its words; one that comes into an open turn enters it",
      rest: (command) =>
        command.type === "message" || command.type === "steer"
          ? { ...command, type: "message", messageId: "" }
          : command,
    },
    leaveOf("permission", "the words of an answer to a permission", "Amp hears an exit code", (command) =>
      command.message === undefined ? command : { ...command, message: undefined },
    ),
    {
      what: "answers to questions, settings",
      why: "Amp asks no questions; settings are those of a start, and none is changed while it runs",
      rest: (command) => (command.type === "question" || command.type === "update" ? [] : command),
    },
  ],
};
