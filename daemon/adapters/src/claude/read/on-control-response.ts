import { withoutEntry } from "@muster/core";
import { chain, emit } from "../../converter/steps.ts";
import { unparsed } from "../../converter/unparsed.ts";
import { agentModeOf, universalModes } from "../wire/modes.ts";
import { type ControlResponseLine, Initialized } from "../wire/native.ts";
import type { ClaudeState, ClaudeStep, SentRequest } from "../wire/state.ts";
import { restoreSetting, sendRequest } from "../write/commands.ts";

/** Claude's answer to something we asked for. */
export function onControlResponse(state: ClaudeState, line: ControlResponseLine): ClaudeStep {
  const { request_id, subtype, response, error, error_code } = line.response;
  const asked = state.sent.get(request_id);
  if (asked === undefined) return emit(state, unparsed(line, "An answer to something nobody asked for", "claude"));
  const next = { ...state, sent: withoutEntry(state.sent, request_id) };
  if (subtype !== "success") return onRefusal(next, asked, error ?? "no reason given", error_code ?? undefined);
  switch (asked.what) {
    case "initialize":
      return onInitialized(next, line, response);
    case "model":
      return onModelSet(next, response);
    // The mode comes as a status line as well; the others have no further effect to tell of.
    case "permissionMode":
    case "variant":
    case "interrupt":
      return emit(next);
  }
}

function onRefusal(state: ClaudeState, asked: SentRequest, error: string, code: string | undefined): ClaudeStep {
  if (asked.what === "initialize") {
    return emit({ ...state, facts: { ready: false, failure: { type: "process_exited", message: error } } });
  }
  if (asked.what === "permissionMode" && asked.value === "bypass" && code === "bypass_not_launched") {
    // Plan mode would still refuse by itself; accepting edits asks for the rest, and the engine says yes to all.
    const request = { subtype: "set_permission_mode", mode: "acceptEdits" };
    return sendRequest(
      { ...state, bypassedByEngine: true, permissionMode: "bypass" },
      { what: "permissionMode", value: "acceptEdits" },
      request,
    );
  }
  const message = `Claude Code did not accept the change of ${asked.what}: ${error}`;
  return chain(
    state,
    (before) => emit(before, { type: "error", data: { code: "agent_error", message, retryable: false } }),
    (before) =>
      asked.what === "model" || asked.what === "permissionMode" ? restoreSetting(before, asked.what) : emit(before),
  );
}

function onInitialized(state: ClaudeState, line: ControlResponseLine, response: unknown): ClaudeStep {
  const read = Initialized.safeParse(response);
  if (!read.success) {
    const failure = { type: "process_exited", message: "Claude Code did not understand how to start" } as const;
    return emit({ ...state, facts: { ready: false, failure } }, unparsed(line, read.error.message, "claude"));
  }
  const { models, commands, claude_code_version, current_permission_mode } = read.data;
  const agentVersion = claude_code_version ?? undefined;
  const permissionMode = universalModes[current_permission_mode ?? ""];
  const agentMode = permissionMode === undefined ? undefined : agentModeOf(permissionMode);
  const facts = { ready: true, agentVersion };
  const listed = commands.map(({ name, description }) => ({
    name,
    description: description ?? undefined,
  }));
  return emit(
    { ...state, facts, models, permissionMode: permissionMode ?? state.permissionMode },
    { type: "session.updated", data: { agentVersion, permissionMode, agentMode, commands: listed } },
  );
}

function onModelSet(state: ClaudeState, response: unknown): ClaudeStep {
  const model = typeof response === "object" && response !== null && "model" in response ? response.model : undefined;
  if (typeof model !== "string" || model === state.model) return emit(state);
  return emit({ ...state, model }, { type: "session.updated", data: { model } });
}
