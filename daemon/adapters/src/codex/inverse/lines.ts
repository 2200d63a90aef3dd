import type { Command } from "../../commands.ts";
import { agentLines } from "../../converter/agent-lines.ts";
import { inputLines } from "../../converter/input-lines.ts";
import { codexConverter } from "../converter.ts";
import { codexLogReader } from "../read/log-reader.ts";
import type { CodexState, OpenRequest } from "../wire/state.ts";
import { codexLeftOut } from "./left-out.ts";
import { commandOf } from "./to-command.ts";
import { CodexTranscript } from "./transcript.ts";

const converter = codexConverter({ permissionMode: "default" });

export const codexLines = agentLines({
  reader: codexLogReader,
  transcript: () => new CodexTranscript(),
  input: inputLines(converter, commandOf, stateFor),
  leftOut: codexLeftOut,
});

/** A turn is open, and the request that is answered: Codex would have asked. */
function stateFor(command: Command): CodexState {
  const state: CodexState = { ...converter.initial(), turn: { turnId: "turn", messageIds: [] } };
  if (command.type !== "permission" && command.type !== "question") return state;
  const { requestKey: id } = command;
  const answers = command.type === "question" ? (command.answers ?? []) : [];
  const fields = (answers.length === 0 ? [[]] : answers).map((_, at) => ({
    name: `q${at + 1}`,
    type: "string" as const,
  }));
  const request: OpenRequest = {
    id,
    threadId: "",
    kind: command.type === "permission" ? "approval" : "questions",
    fields,
  };
  return { ...state, requests: new Map([[id, request]]) };
}
