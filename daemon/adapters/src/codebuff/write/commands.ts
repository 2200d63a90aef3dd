import { withEntry } from "@muster/core";
import type { Command } from "../../commands.ts";
import { planDecision } from "../../converter/plan-approval.ts";
import { cancelCalls } from "../read/calls.ts";
import { nativeMode, policies } from "../wire/modes.ts";
import type { HeardLine } from "../wire/native.ts";
import type { CodebuffState, CodebuffStep } from "../wire/state.ts";
import { permissionAnswer, questionAnswer } from "./answers.ts";

/** A command in Codebuff's words. */
export function writeCommand(state: CodebuffState, command: Command): CodebuffStep {
  switch (command.type) {
    case "message":
    case "steer": {
      const waiting = withEntry(state.waiting, command.messageId, { steers: command.type === "steer" });
      return tell({ ...state, waiting }, messageLine(command));
    }
    case "permission": {
      if (command.stops) return stop(noteAnswered(state, command.requestKey));
      const asked = state.asked.get(command.requestKey);
      const next = noteAnswered(state, command.requestKey);
      const isDenied = asked?.about === "permission" && command.decision === "reject";
      return tell(isDenied ? cancelCalls(next, [asked.callId]) : next, permissionAnswer(command));
    }
    case "question":
      return command.stops ? stop(noteAnswered(state, command.requestKey)) : answerQuestion(state, command);
    case "interrupt":
      return stop(state);
    case "update":
      return tell(state, updateLine(command));
  }
}

/** Whatever it asks for ends with the run: a no before that would let it ask its model again. */
function stop(state: CodebuffState): CodebuffStep {
  return tell(cancelCalls(state, state.calls.keys()), { type: "cancel" });
}

/** An approved plan ends PLAN mode for this run by itself; the update says so for the runs to come. */
function answerQuestion(state: CodebuffState, command: Extract<Command, { type: "question" }>): CodebuffStep {
  const asked = state.asked.get(command.requestKey);
  const next = noteAnswered(state, command.requestKey);
  const line = questionAnswer(command, asked);
  const decision = planDecision(command);
  if (asked?.about !== "plan" || "feedback" in decision) return tell(next, line);
  const permissionMode = decision.choice === "approve" ? "default" : "acceptEdits";
  const now = { agentMode: "default", permissionMode } as const;
  const changed = { type: "session.updated", data: now } as const;
  return { state: next, bodies: [changed], replies: [line, updateLine({ type: "update", ...now })] };
}

function noteAnswered(state: CodebuffState, requestKey: string): CodebuffState {
  const asked = state.asked.get(requestKey);
  return asked ? { ...state, asked: withEntry(state.asked, requestKey, { ...asked, isAnswered: true }) } : state;
}

function messageLine({ messageId, text, attachments }: Extract<Command, { type: "message" | "steer" }>): HeardLine {
  const content = attachments.map((attachment) => ({ type: "attachment" as const, ...attachment }));
  return { type: "user_message", messageId, text, content: content.length > 0 ? content : undefined };
}

function updateLine({ model, agentMode, variant, permissionMode }: Extract<Command, { type: "update" }>): HeardLine {
  const mode = agentMode === undefined ? undefined : nativeMode(agentMode);
  const permissions = permissionMode === undefined ? undefined : policies[permissionMode];
  return { type: "update", model, variant, mode, permissions };
}

function tell(state: CodebuffState, line: HeardLine): CodebuffStep {
  return { state, bodies: [], replies: [line] };
}
