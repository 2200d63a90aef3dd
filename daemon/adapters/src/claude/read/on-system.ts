import { z } from "zod";
import { present } from "../../converter/present.ts";
import { unparsed } from "../../converter/unparsed.ts";
import { order } from "../write/commands.ts";
import { failureOf } from "./failures.ts";
import { ignored, type Reading, reading } from "./line-handler.ts";
import { agentModeOf, universalModes } from "./modes.ts";
import { type ClaudeState, inTurn, noted, started, type Told, told, withEntry, without } from "./state.ts";
import { asInput, permissionFor } from "./tools.ts";

const text = z.string();

const noteAs =
  (label: string): Reading =>
  (state, line) =>
    noted(state, label, wordsOf(line));

/** subtype → what it means. Those marked with R are in the typings of 2.1.325 and were not seen. */
const readings: Readonly<Record<string, Reading>> = {
  init: reading(
    z.object({ session_id: text.nullish(), model: text.nullish(), permissionMode: text.nullish() }),
    turnBegun,
  ),
  status: reading(
    z.object({
      status: text.nullish(),
      permissionMode: text.nullish(),
      compact_result: text.nullish(),
    }),
    statusChanged,
  ),
  api_retry: reading(
    z.object({
      attempt: z.number(),
      max_retries: z.number(),
      retry_delay_ms: z.number(),
      error_status: z.number().nullish(),
      error: text.nullish(),
    }),
    retrying,
  ),
  permission_denied: reading(
    z.object({ tool_name: text, tool_use_id: text, message: text.nullish() }),
    permissionDenied,
  ),
  task_started: reading(
    z.object({
      task_id: text,
      tool_use_id: text.nullish(),
      description: text.nullish(),
      is_backgrounded: z.boolean().nullish(),
    }),
    taskStarted,
  ),
  task_progress: reading(z.object({ tool_use_id: text.nullish(), description: text.nullish() }), (state, line) =>
    noted(state, "task progress", line.description ?? undefined, callItem(state, line.tool_use_id)),
  ),
  task_notification: reading(
    z.object({ task_id: text, tool_use_id: text.nullish(), status: text.nullish(), summary: text.nullish() }),
    taskEnded,
  ),
  session_title_changed: reading(z.object({ title: text }), (state, { title }) =>
    told(state, { type: "session.updated", data: { title } }),
  ),
  compact_boundary: reading(
    z.object({ compact_metadata: z.object({ trigger: text.nullish(), pre_tokens: z.number().nullish() }).nullish() }),
    (state, { compact_metadata: how }) =>
      noted(state, "compacted", `${how?.trigger ?? "automatic"}, ${how?.pre_tokens ?? "?"} tokens before`),
  ),
  informational: noteAs("information"),
  notification: noteAs("notification"), // R
  local_command_output: noteAs("command output"), // R
  model_refusal_no_fallback: noteAs("refused"),
  model_refusal_fallback: noteAs("refused, another model goes on"), // R
  hook_started: noteAs("hook started"),
  hook_progress: noteAs("hook"), // R
  hook_response: noteAs("hook ended"),
  plugin_install: noteAs("plugin"), // R
  memory_recall: noteAs("memory"), // R
  session_writes_lost: noteAs("transcript not written"), // R
  worker_shutting_down: noteAs("shutting down"), // R
  thinking_tokens: ignored,
  session_state_changed: ignored,
  task_updated: ignored,
  background_tasks_changed: ignored,
  commands_changed: ignored, // R
  files_persisted: ignored, // R
  elicitation_complete: ignored, // R
  control_request_progress: ignored, // R
};

export function noticed(state: ClaudeState, line: { subtype?: unknown }): Told {
  const subtype = String(line.subtype);
  const read = Object.hasOwn(readings, subtype) ? readings[subtype] : undefined;
  return read?.(state, line) ?? told(state, unparsed(line, `Unknown line: system/${subtype}`, "claude"));
}

/** Comes with every turn. One that no message of ours began is Claude's own. */
function turnBegun(
  state: ClaudeState,
  line: {
    session_id?: string | null | undefined;
    model?: string | null | undefined;
    permissionMode?: string | null | undefined;
  },
): Told {
  const isOurs = state.turn.isOpen || [...state.messages.values()].some(({ steers }) => !steers);
  return inTurn(
    { ...state, turn: { ...state.turn, isOpen: true } },
    (before) => (isOurs ? told(before) : told(before, { type: "turn.began", data: {} })),
    (before) => settled(before, line),
  );
}

/** Model, mode and native session as they are now; told when they are not what was known. */
function settled(
  state: ClaudeState,
  line: {
    session_id?: string | null | undefined;
    model?: string | null | undefined;
    permissionMode?: string | null | undefined;
  },
): Told {
  const model = line.model ?? undefined;
  const nativeSessionId = line.session_id ?? undefined;
  const mode = line.permissionMode ? universalModes[line.permissionMode] : undefined;
  const permissionMode = state.bypassedByEngine ? undefined : mode;
  const now = { model, nativeSessionId, permissionMode };
  const isNews = (name: keyof typeof now) => state[name] !== undefined && now[name] !== state[name];
  const data = present({
    // The name a session was started with may stand for another one.
    model: model === state.model ? undefined : model,
    nativeSessionId: isNews("nativeSessionId") ? nativeSessionId : undefined,
    ...(permissionMode !== undefined && isNews("permissionMode") ? modeData(permissionMode) : {}),
  });
  const next = { ...state, ...present(now) };
  return Object.keys(data).length === 0 ? told(next) : told(next, { type: "session.updated", data });
}

const modeData = (permissionMode: NonNullable<ClaudeState["permissionMode"]>) => ({
  permissionMode,
  agentMode: agentModeOf(permissionMode),
});

function statusChanged(
  state: ClaudeState,
  line: {
    status?: string | null | undefined;
    permissionMode?: string | null | undefined;
    compact_result?: string | null | undefined;
  },
): Told {
  const mode = line.permissionMode ? universalModes[line.permissionMode] : undefined;
  return inTurn(
    state,
    (before) => {
      if (mode === undefined || mode === before.permissionMode || before.bypassedByEngine) return told(before);
      return told({ ...before, permissionMode: mode }, { type: "session.updated", data: modeData(mode) });
    },
    (before) => (line.status === "compacting" ? noted(before, "compacting") : told(before)),
    (before) =>
      line.compact_result && line.compact_result !== "success"
        ? noted(before, "compacting failed", line.compact_result)
        : told(before),
  );
}

/** An API key that is refused will be refused again: Claude would try for minutes. */
function retrying(
  state: ClaudeState,
  line: {
    attempt: number;
    max_retries: number;
    retry_delay_ms: number;
    error_status?: number | null | undefined;
    error?: string | null | undefined;
  },
): Told {
  const { attempt, max_retries: most, retry_delay_ms: delay, error_status: status } = line;
  const why = `${line.error ?? "unknown"}${status ? ` (${status})` : ""}`;
  const { cause } = failureOf({ error: line.error, text: "" });
  if (cause === "auth_failed") {
    const message = `The provider refused the credentials: ${why}`;
    if (state.turn.failure !== undefined) return told(state);
    return inTurn(
      { ...state, turn: { ...state.turn, failure: { cause, message } } },
      (before) => told(before, { type: "error", data: { code: cause, message, retryable: false } }),
      (before) => order(before, { what: "interrupt" }, { subtype: "interrupt" }),
    );
  }
  const untilMs = state.nowMs === undefined ? undefined : state.nowMs + delay;
  return inTurn(
    state,
    (before) => noted(before, "retrying", `attempt ${attempt} of ${most} in ${Math.round(delay)} ms: ${why}`),
    (before) => (untilMs === undefined ? told(before) : told(before, { type: "retry.announced", data: { untilMs } })),
  );
}

function permissionDenied(
  state: ClaudeState,
  line: { tool_name: string; tool_use_id: string; message?: string | null | undefined },
): Told {
  const call = state.calls.get(line.tool_use_id);
  const asked = permissionFor(line.tool_name, asInput(call?.input));
  return told(state, {
    type: "permission.decided",
    data: {
      requestKey: `denied_${line.tool_use_id}`,
      ...asked,
      ...present({ itemId: call?.itemId, message: line.message ?? undefined }),
      decision: "reject",
    },
  });
}

/** A sub-agent in the background keeps an item open, so that nobody takes the session for idle. */
function taskStarted(
  state: ClaudeState,
  line: {
    task_id: string;
    tool_use_id?: string | null | undefined;
    description?: string | null | undefined;
    is_backgrounded?: boolean | null | undefined;
  },
): Told {
  if (line.is_backgrounded !== true || !line.tool_use_id) return told(state);
  const call = state.calls.get(line.tool_use_id);
  const calls = call ? withEntry(state.calls, line.tool_use_id, { ...call, background: true }) : state.calls;
  const detail = line.description ?? undefined;
  const item = {
    nativeItemId: line.task_id,
    ...present({ parentId: call?.itemId }),
    kind: "status",
    role: "system",
    background: true,
    content: [{ type: "status" as const, label: "works in the background", ...present({ detail }) }],
  } as const;
  const begun = started({ ...state, calls }, { ...item, status: "in_progress", content: [...item.content] });
  const kept = { itemId: begun.itemId, ...item, status: "completed" as const, content: [...item.content] };
  return { ...begun, state: { ...begun.state, tasks: withEntry(begun.state.tasks, line.task_id, kept) } };
}

function taskEnded(
  state: ClaudeState,
  line: {
    task_id: string;
    tool_use_id?: string | null | undefined;
    status?: string | null | undefined;
    summary?: string | null | undefined;
  },
): Told {
  const label = `task ${line.status ?? "ended"}`;
  const item = state.tasks.get(line.task_id);
  if (item === undefined) return noted(state, label, line.summary ?? undefined, callItem(state, line.tool_use_id));
  const status = line.status === "completed" ? "completed" : line.status === "failed" ? "failed" : "cancelled";
  const content = [{ type: "status" as const, label, ...present({ detail: line.summary ?? undefined }) }];
  return told(
    { ...state, tasks: without(state.tasks, line.task_id) },
    { type: "item.completed", data: { item: { ...item, status, content } } },
  );
}

function callItem(state: ClaudeState, toolUseId: string | null | undefined): string | undefined {
  return toolUseId ? state.calls.get(toolUseId)?.itemId : undefined;
}

/** Everything a line says besides its envelope. */
function wordsOf(line: unknown): string {
  const { type: _, subtype: __, uuid: ___, session_id: ____, content, message, ...rest } = asInput(line);
  const words = [content, message].find((value) => typeof value === "string");
  return typeof words === "string" ? words : JSON.stringify(rest);
}
