import type { EventBody, Item } from "@muster/schema";
import {
  cutOff,
  endsWith,
  isOneOf,
  type LeftOutTable,
  leaveOf,
  leaveOut,
  noAsInterrupt,
  plans,
  reduceItems,
  requestsIn,
  steering,
  usuallyLeftOut,
} from "../../converter/left-out.ts";
import { asInput } from "../../converter/tools/tool-table.ts";
import { nativeMode } from "../wire/modes.ts";
import { remarkOf } from "./remarks.ts";

/** What Codebuff has no words for. */
export const codebuffLeftOut: LeftOutTable = {
  events: [
    ...usuallyLeftOut,
    plans,
    cutOff,
    ...requestsIn("execute", "edit", "read", "fetch", "mcp"),
    endsWith("to Codebuff a run is completed, cancelled or failed", "usage", "costUsd"),
    leaveOut(
      "usage.updated, session.updated, plan.updated",
      "usage is told with the end of a run, and nothing of a session between runs; a list is a call that is told already",
      isOneOf("usage.updated", "session.updated", "plan.updated"),
    ),
    leaveOut(
      "the pieces of texts, thoughts and inputs",
      "pieces of several items may come in turns, which Codebuff cannot say: each is told when it is complete",
      (body) => body.type === "item.delta" && body.data.part !== "output",
    ),
    leaveOut(
      "status items other than sub-agents, downloads and retries",
      "Codebuff has no line for a remark",
      (body) => "item" in body.data && body.data.item.kind === "status" && remarkOf(body.data.item) === undefined,
    ),
    leaveOut(
      "words of the person",
      "Codebuff is given them and does not tell them",
      (body) => "item" in body.data && body.data.item.role === "user",
    ),
    reduceItems(
      "an input that is no object",
      "it is told as a field of one",
      ({ content: [part] }) => part?.type === "tool_call" && inputOf(part.input) !== part.input,
      withObjects,
    ),
    { what: "context of a turn's usage", why: "Codebuff counts tokens of its models only", rest: restOfUsage },
  ],
  input: [
    noAsInterrupt,
    steering("both are the same line; Codebuff takes it into the run that is going on, or begins one"),
    leaveOf(
      "question",
      "the words beside the answers to a question, and an edited text",
      "only a plan has a text to edit, and an answer has no words beside it",
      (command) => {
        const { type, requestKey, answers, message, editedText } = command;
        if (editedText === undefined && (answers === undefined || message === undefined)) return command;
        return { type, requestKey, answers, message: answers === undefined ? message : undefined };
      },
    ),
    leaveOf("update", "a mode Codebuff does not have", "it is refused before it is sent", (command) =>
      command.agentMode === undefined || nativeMode(command.agentMode) !== undefined
        ? command
        : { ...command, agentMode: undefined },
    ),
  ],
};

/** Codebuff's inputs are objects. */
export function inputOf(input: unknown): unknown {
  if (input === undefined) return {};
  return asInput(input) === input ? input : { value: input };
}

function withObjects(item: Item): Item {
  const content = item.content.map((part) =>
    part.type === "tool_call" ? { ...part, input: inputOf(part.input) } : part,
  );
  return { ...item, content };
}

function restOfUsage(body: EventBody): EventBody {
  if (body.type !== "turn.ended") return body;
  const { usage } = body.data;
  if (usage?.contextTokens === undefined && usage?.contextWindow === undefined) return body;
  return {
    type: body.type,
    data: { ...body.data, usage: { ...usage, contextTokens: undefined, contextWindow: undefined } },
  };
}
