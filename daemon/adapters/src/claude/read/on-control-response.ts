import { present } from "../../converter/present.ts";
import { unparsed } from "../../converter/unparsed.ts";
import { order, unchanged } from "../write/commands.ts";
import { agentModeOf, universalModes } from "./modes.ts";
import { type ControlResponseLine, Initialized } from "./native.ts";
import { type ClaudeState, inTurn, type Ordered, type Told, told, without } from "./state.ts";

/** Claude's answer to something we asked for. */
export function responded(state: ClaudeState, line: ControlResponseLine): Told {
  const { request_id, subtype, response, error, error_code } = line.response;
  const asked = state.ordered.get(request_id);
  if (asked === undefined) return told(state, unparsed(line, "An answer to something nobody asked for", "claude"));
  const next = { ...state, ordered: without(state.ordered, request_id) };
  if (subtype !== "success") return failed(next, asked, error ?? "no reason given", error_code ?? undefined);
  switch (asked.what) {
    case "initialize":
      return initialized(next, line, response);
    case "model":
      return modelSet(next, response);
    // The mode comes as a status line as well; the others have no further effect to tell of.
    case "permissionMode":
    case "variant":
    case "interrupt":
      return told(next);
  }
}

function failed(state: ClaudeState, asked: Ordered, error: string, code: string | undefined): Told {
  if (asked.what === "initialize") {
    return told({ ...state, facts: { ready: false, failure: { type: "process_exited", message: error } } });
  }
  if (asked.what === "permissionMode" && asked.value === "bypass" && code === "bypass_not_launched") {
    // Plan mode would still refuse by itself; accepting edits asks for the rest, and the engine says yes to all.
    const request = { subtype: "set_permission_mode", mode: "acceptEdits" };
    return order(
      { ...state, bypassedByEngine: true, permissionMode: "bypass" },
      { what: "permissionMode", value: "acceptEdits" },
      request,
    );
  }
  const message = `Claude Code did not accept the change of ${asked.what}: ${error}`;
  return inTurn(
    state,
    (before) => told(before, { type: "error", data: { code: "agent_error", message, retryable: false } }),
    (before) =>
      asked.what === "model" || asked.what === "permissionMode" ? unchanged(before, asked.what) : told(before),
  );
}

function initialized(state: ClaudeState, line: ControlResponseLine, response: unknown): Told {
  const read = Initialized.safeParse(response);
  if (!read.success) {
    const failure = { type: "process_exited", message: "Claude Code did not understand how to start" } as const;
    return told({ ...state, facts: { ready: false, failure } }, unparsed(line, read.error.message, "claude"));
  }
  const { models, commands, claude_code_version, current_permission_mode } = read.data;
  const agentVersion = claude_code_version ?? undefined;
  const permissionMode = universalModes[current_permission_mode ?? ""];
  const mode = permissionMode === undefined ? {} : { permissionMode, agentMode: agentModeOf(permissionMode) };
  const facts = { ready: true, ...present({ agentVersion }) };
  const listed = commands.map(({ name, description }) => ({
    name,
    ...present({ description: description ?? undefined }),
  }));
  return told(
    { ...state, facts, models, ...present({ permissionMode }) },
    { type: "session.updated", data: { ...present({ agentVersion }), ...mode, commands: listed } },
  );
}

function modelSet(state: ClaudeState, response: unknown): Told {
  const model = typeof response === "object" && response !== null && "model" in response ? response.model : undefined;
  if (typeof model !== "string" || model === state.model) return told(state);
  return told({ ...state, model }, { type: "session.updated", data: { model } });
}
