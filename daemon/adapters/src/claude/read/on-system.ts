import { withEntry, withoutEntry } from "@muster/core";
import { z } from "zod";
import { retryDetail } from "../../converter/retry-detail.ts";
import { addStatus, chain, emit, startItem } from "../../converter/steps.ts";
import { asInput } from "../../converter/tools/tool-table.ts";
import { unparsed } from "../../converter/unparsed.ts";
import { agentModeOf, universalModes } from "../wire/modes.ts";
import type { ClaudeState, ClaudeStep } from "../wire/state.ts";
import { permissionFor } from "../wire/tools.ts";
import { sendRequest } from "../write/commands.ts";
import { failureOf } from "./failures.ts";
import { ignore, type LineHandler, lineHandler } from "./line-handler.ts";

const text = z.string();

const SettingsLine = z.object({
  session_id: text.nullish(),
  model: text.nullish(),
  permissionMode: text.nullish(),
  cwd: text.nullish(),
});
type SettingsLine = z.infer<typeof SettingsLine>;
const StatusLine = z.object({ status: text.nullish(), permissionMode: text.nullish(), compact_result: text.nullish() });
const RetryLine = z.object({
  attempt: z.number(),
  max_retries: z.number(),
  retry_delay_ms: z.number(),
  error_status: z.number().nullish(),
  error: text.nullish(),
});
const DenialLine = z.object({ tool_name: text, tool_use_id: text, message: text.nullish() });
const Task = z.object({ task_id: text, tool_use_id: text.nullish() });
const TaskStart = Task.extend({ description: text.nullish(), is_backgrounded: z.boolean().nullish() });
const TaskEnd = Task.extend({ status: text.nullish(), summary: text.nullish() });

const statusHandler =
  (label: string): LineHandler =>
  (state, line) =>
    addStatus(state, { label, detail: wordsOf(line) });

/** subtype → what it means. Those marked with R are in the typings of 2.1.325 and were not seen. */
const handlers: Readonly<Record<string, LineHandler>> = {
  init: lineHandler(SettingsLine, onInit),
  status: lineHandler(StatusLine, onStatus),
  api_retry: lineHandler(RetryLine, onApiRetry),
  permission_denied: lineHandler(DenialLine, onPermissionDenied),
  task_started: lineHandler(TaskStart, onTaskStarted),
  task_progress: lineHandler(z.object({ tool_use_id: text.nullish(), description: text.nullish() }), (state, line) =>
    addStatus(state, {
      label: "task progress",
      detail: line.description ?? undefined,
      parentId: callItem(state, line.tool_use_id),
    }),
  ),
  task_notification: lineHandler(TaskEnd, onTaskNotification),
  session_title_changed: lineHandler(z.object({ title: text }), (state, { title }) =>
    emit(state, { type: "session.updated", data: { title } }),
  ),
  compact_boundary: lineHandler(
    z.object({ compact_metadata: z.object({ trigger: text.nullish(), pre_tokens: z.number().nullish() }).nullish() }),
    (state, { compact_metadata: how }) =>
      addStatus(state, {
        label: "compacted",
        detail: `${how?.trigger ?? "automatic"}, ${how?.pre_tokens ?? "?"} tokens before`,
      }),
  ),
  informational: statusHandler("information"),
  notification: statusHandler("notification"), // R
  local_command_output: statusHandler("command output"), // R
  model_refusal_no_fallback: statusHandler("refused"),
  model_refusal_fallback: statusHandler("refused, another model goes on"), // R
  hook_started: statusHandler("hook started"),
  hook_progress: statusHandler("hook"), // R
  hook_response: statusHandler("hook ended"),
  plugin_install: statusHandler("plugin"), // R
  memory_recall: statusHandler("memory"), // R
  mirror_error: statusHandler("transcript not mirrored"), // R
  missing_capability: statusHandler("missing capability"), // R
  session_writes_lost: statusHandler("transcript not written"), // R
  worker_shutting_down: statusHandler("shutting down"), // R
  thinking_tokens: ignore,
  session_state_changed: ignore,
  task_updated: ignore,
  background_tasks_changed: ignore,
  commands_changed: ignore, // R
  files_persisted: ignore, // R
  elicitation_complete: ignore, // R
  control_request_progress: ignore, // R
};

export function onSystem(state: ClaudeState, line: { subtype?: unknown }): ClaudeStep {
  const subtype = String(line.subtype);
  const read = Object.hasOwn(handlers, subtype) ? handlers[subtype] : undefined;
  return read?.(state, line) ?? emit(state, unparsed(line, `Unknown line: system/${subtype}`, "claude"));
}

/** Comes with every turn. One that no message of ours began is Claude's own. */
function onInit(state: ClaudeState, line: SettingsLine): ClaudeStep {
  const isOurs = state.turn.isOpen || [...state.messages.values()].some(({ steers }) => !steers);
  return chain(
    { ...state, turn: { ...state.turn, isOpen: true } },
    (before) => (isOurs ? emit(before) : emit(before, { type: "turn.began", data: {} })),
    (before) => updateSettings(before, line),
  );
}

/** Model, mode and native session as they are now; told when they are not what was known. */
function updateSettings(state: ClaudeState, line: SettingsLine): ClaudeStep {
  const mode = line.permissionMode ? universalModes[line.permissionMode] : undefined;
  const model = line.model ?? state.model;
  const nativeSessionId = line.session_id ?? state.nativeSessionId;
  const permissionMode = (state.bypassedByEngine ? undefined : mode) ?? state.permissionMode;
  const next = {
    ...state,
    model,
    nativeSessionId,
    permissionMode,
    directory: state.directory ?? line.cwd ?? undefined,
  };
  // The name a session was started with may stand for another one, so a first model is told too.
  const hasModel = model !== state.model;
  const hasSession = state.nativeSessionId !== undefined && nativeSessionId !== state.nativeSessionId;
  const hasMode = state.permissionMode !== undefined && permissionMode !== state.permissionMode;
  if (!hasModel && !hasSession && !hasMode) return emit(next);
  return emit(next, {
    type: "session.updated",
    data: {
      model: hasModel ? model : undefined,
      nativeSessionId: hasSession ? nativeSessionId : undefined,
      ...(hasMode && permissionMode ? modeData(permissionMode) : {}),
    },
  });
}

const modeData = (permissionMode: NonNullable<ClaudeState["permissionMode"]>) => ({
  permissionMode,
  agentMode: agentModeOf(permissionMode),
});

function onStatus(state: ClaudeState, line: z.infer<typeof StatusLine>): ClaudeStep {
  const mode = line.permissionMode ? universalModes[line.permissionMode] : undefined;
  return chain(
    state,
    (before) => {
      if (mode === undefined || mode === before.permissionMode || before.bypassedByEngine) return emit(before);
      return emit({ ...before, permissionMode: mode }, { type: "session.updated", data: modeData(mode) });
    },
    (before) => (line.status === "compacting" ? addStatus(before, { label: "compacting" }) : emit(before)),
    (before) =>
      line.compact_result && line.compact_result !== "success"
        ? addStatus(before, { label: "compacting failed", detail: line.compact_result })
        : emit(before),
  );
}

/** An API key that is refused will be refused again: Claude would try for minutes. */
function onApiRetry(state: ClaudeState, line: z.infer<typeof RetryLine>): ClaudeStep {
  const { attempt, max_retries: most, retry_delay_ms: delay, error_status: status } = line;
  const isKnown = line.error != null && line.error !== "unknown";
  const why = [isKnown ? line.error : "", status ? `(${status})` : ""].filter(Boolean).join(" ");
  const { cause } = failureOf({ error: line.error, text: "" });
  if (cause === "auth_failed") {
    const message = `The provider refused the credentials: ${why}`;
    if (state.turn.failure !== undefined) return emit(state);
    return chain(
      { ...state, turn: { ...state.turn, failure: { cause, message } } },
      (before) => emit(before, { type: "error", data: { code: cause, message, retryable: false } }),
      (before) => sendRequest(before, { what: "interrupt" }, { subtype: "interrupt" }),
    );
  }
  const untilMs = state.nowMs === undefined ? undefined : state.nowMs + delay;
  return chain(
    state,
    (before) =>
      addStatus(before, {
        label: "retrying",
        detail: retryDetail({ attempt, most, delayMs: delay, reason: why }),
      }),
    (before) => emit(before, { type: "retry.announced", data: untilMs === undefined ? {} : { untilMs } }),
  );
}

function onPermissionDenied(state: ClaudeState, line: z.infer<typeof DenialLine>): ClaudeStep {
  const call = state.calls.get(line.tool_use_id);
  const asked = permissionFor(line.tool_name, asInput(call?.input), state.directory);
  return emit(state, {
    type: "permission.decided",
    data: {
      requestKey: `denied_${line.tool_use_id}`,
      ...asked,
      itemId: call?.itemId,
      message: line.message ?? undefined,
      decision: "reject",
    },
  });
}

/** A sub-agent in the background keeps an item open, so that nobody takes the session for idle. */
function onTaskStarted(state: ClaudeState, line: z.infer<typeof TaskStart>): ClaudeStep {
  if (line.is_backgrounded !== true || !line.tool_use_id) return emit(state);
  const call = state.calls.get(line.tool_use_id);
  const calls = call ? withEntry(state.calls, line.tool_use_id, { ...call, background: true }) : state.calls;
  const detail = line.description ?? undefined;
  const item = {
    nativeItemId: line.task_id,
    parentId: call?.itemId,
    kind: "status",
    role: "system",
    background: true,
    content: [{ type: "status" as const, label: "works in the background", detail }],
  } as const;
  const begun = startItem({ ...state, calls }, { ...item, status: "in_progress", content: [...item.content] });
  const kept = { itemId: begun.itemId, ...item, status: "completed" as const, content: [...item.content] };
  return { ...begun, state: { ...begun.state, tasks: withEntry(begun.state.tasks, line.task_id, kept) } };
}

function onTaskNotification(state: ClaudeState, line: z.infer<typeof TaskEnd>): ClaudeStep {
  const label = `task ${line.status ?? "ended"}`;
  const item = state.tasks.get(line.task_id);
  if (item === undefined) {
    return addStatus(state, {
      label,
      detail: line.summary ?? undefined,
      parentId: callItem(state, line.tool_use_id),
    });
  }
  const status = line.status === "completed" ? "completed" : line.status === "failed" ? "failed" : "cancelled";
  const content = [{ type: "status" as const, label, detail: line.summary ?? undefined }];
  return emit(
    { ...state, tasks: withoutEntry(state.tasks, line.task_id) },
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
