import { withEntry, withoutEntry } from "@muster/core";
import type { PermissionMode } from "@muster/schema";
import type { Command } from "../../commands.ts";
import { chain, emit } from "../../converter/steps.ts";
import { claudeModes } from "../wire/modes.ts";
import type { PromptLine, RequestLine } from "../wire/native.ts";
import type { ClaudeState, ClaudeStep, SentRequest } from "../wire/state.ts";
import { permissionAnswer, questionAnswer } from "./answers.ts";

/** A command in Claude's words. */
export function writeCommand(state: ClaudeState, command: Command): ClaudeStep {
  switch (command.type) {
    case "message":
    case "steer": {
      const known = { steers: command.type === "steer", started: false };
      const next = { ...state, messages: withEntry(state.messages, command.messageId, known) };
      return { state: next, bodies: [], replies: [promptLine(command)] };
    }
    case "permission": {
      const line = permissionAnswer(command, state.asked.get(command.requestKey));
      return { ...emit({ ...state, asked: withoutEntry(state.asked, command.requestKey) }), replies: [line] };
    }
    case "question": {
      const line = questionAnswer(command, state.asked.get(command.requestKey));
      return { ...emit({ ...state, asked: withoutEntry(state.asked, command.requestKey) }), replies: [line] };
    }
    // What still waits inside Claude are steering messages of the turn that is to stop.
    case "interrupt":
      return sendRequest(state, { what: "interrupt" }, { subtype: "interrupt", cancel_queued: true });
    case "update":
      return writeUpdate(state, command);
  }
}

function promptLine(command: Extract<Command, { type: "message" | "steer" }>): PromptLine {
  const { messageId, text, attachments } = command;
  const files = attachments.map((attachment) => ({ type: "attachment" as const, ...attachment }));
  return {
    type: "user",
    message: { role: "user", content: files.length === 0 ? text : [{ type: "text", text }, ...files] },
    parent_tool_use_id: null,
    uuid: messageId,
  };
}

function writeUpdate(state: ClaudeState, command: Extract<Command, { type: "update" }>): ClaudeStep {
  const { model, variant, agentMode, permissionMode } = command;
  const mode: PermissionMode | undefined = permissionMode ?? (agentMode === undefined ? undefined : modeOf(agentMode));
  return chain(
    state,
    (before) => (model === undefined ? emit(before) : setModel(before, model)),
    (before) => (variant === undefined ? emit(before) : setVariant(before, variant)),
    (before) => (mode === undefined ? emit(before) : setMode(before, mode)),
  );
}

const modeOf = (agentMode: string): PermissionMode => (agentMode === "plan" ? "plan" : "default");

/** Claude takes any name and fails at the next call, so names it does not list are refused here. */
function setModel(state: ClaudeState, model: string): ClaudeStep {
  const isKnown = state.models.length === 0 || isModel(state.models, model);
  if (isKnown) return sendRequest(state, { what: "model", value: model }, { subtype: "set_model", model });
  const message = `Claude Code has no model '${model}'; the one before stays`;
  return chain(
    state,
    (before) => emit(before, { type: "error", data: { code: "model_not_found", message, retryable: false } }),
    (before) => restoreSetting(before, "model"),
  );
}

/** A change that was announced and did not happen. */
export function restoreSetting(state: ClaudeState, what: "model" | "permissionMode"): ClaudeStep {
  const value = state[what];
  return value === undefined ? emit(state) : emit(state, { type: "session.updated", data: { [what]: value } });
}

function isModel(models: ClaudeState["models"], model: string): boolean {
  const alias = withoutWindow(model);
  return isFullId(model) || models.some(({ value, resolvedModel }) => value === alias || resolvedModel === alias);
}

/** Full ids have a version in them, the short names have none. */
export const isFullId = (model: string) => /\d/.test(withoutWindow(model));

/** A larger context window is asked for with the name. */
export const withoutWindow = (model: string) => model.replace(/\[1m\]$/, "");

function setVariant(state: ClaudeState, effortLevel: string): ClaudeStep {
  const request = { subtype: "apply_flag_settings", settings: { effortLevel } };
  return sendRequest(state, { what: "variant", value: effortLevel }, request);
}

function setMode(state: ClaudeState, mode: PermissionMode): ClaudeStep {
  const request = { subtype: "set_permission_mode", mode: claudeModes[mode] };
  return sendRequest({ ...state, bypassedByEngine: false }, { what: "permissionMode", value: mode }, request);
}

export function sendRequest(state: ClaudeState, what: SentRequest, request: RequestLine["request"]): ClaudeStep {
  const request_id = `muster_${state.nextRequest}`;
  const next = { ...state, nextRequest: state.nextRequest + 1, sent: withEntry(state.sent, request_id, what) };
  return { state: next, bodies: [], replies: [{ type: "control_request", request_id, request }] };
}
