import type { Command } from "../../commands.ts";
import { emit } from "../../converter/steps.ts";
import type { PromptLine } from "../wire/native.ts";
import type { AmpState, AmpStep } from "../wire/state.ts";
import { attachmentText } from "./attachment-text.ts";

/** A command in Amp's words: a prompt, a signal, or an answer to our permission program. */
export function writeCommand(state: AmpState, command: Command): AmpStep {
  switch (command.type) {
    case "message": {
      const turn = { isOpen: true, isAfterStop: state.isStopping, messageIds: [command.messageId] };
      const unheard = [...state.unheard, { messageId: command.messageId, steers: false }];
      return { ...emit({ ...state, turn, unheard }), replies: [promptLine(command)] };
    }
    case "steer": {
      const { messageId } = command;
      const turn = { ...state.turn, messageIds: [...state.turn.messageIds, messageId] };
      const unheard = [...state.unheard, { messageId, steers: true }];
      return { ...emit({ ...state, turn, unheard }), replies: [promptLine(command)] };
    }
    case "permission": {
      const { requestKey: request_id, decision } = command;
      return { ...emit(state), replies: [{ type: "permission_response", request_id, decision }] };
    }
    case "interrupt":
      if (!state.turn.isOpen || state.isStopping) return emit(state);
      return { ...emit({ ...state, isStopping: true }), replies: [{ type: "interrupt" }] };
    // It asks no questions, and all its settings are those of a start.
    case "question":
    case "update":
      return emit(state);
  }
}

function promptLine({ text, attachments }: Extract<Command, { type: "message" | "steer" }>): PromptLine {
  const blocks = [text, ...attachments.map(attachmentText)].map((words) => ({ type: "text", text: words }) as const);
  return { type: "user", message: { role: "user", content: blocks } };
}
