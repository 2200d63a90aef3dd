import { withoutEntry } from "@muster/core";
import type { Cause } from "@muster/schema";
import { retryDetail } from "../../converter/retry-detail.ts";
import { addStatus, chain, emit } from "../../converter/steps.ts";
import { unparsed } from "../../converter/unparsed.ts";
import { isIgnorable, type NotificationMethod, type Notified, notifications } from "../wire/native.ts";
import { type CodexState, type CodexStep, isOwn } from "../wire/state.ts";
import { causeOf, errorOf } from "./failures.ts";
import { addOutputDelta, addTextDelta, addThreadStatus, markCut, onItemCompleted, onItemStarted } from "./items.ts";
import { withoutSecret } from "./redact.ts";
import { completeChildTurn, startChildTurn } from "./sub-agents.ts";
import { closeItems, completeTurn, dropRequests, failTurn, startTurn } from "./turns.ts";
import { onUsage } from "./usage.ts";

/** What Codex says without being asked. */
export function onNotification(state: CodexState, line: { method: string; params?: unknown }): CodexStep {
  const { method } = line;
  const params = diagnostics.has(method) ? withoutSecret(line.params, state.secret) : line.params;
  if (!isKnown(method))
    return isIgnorable(method) ? emit(state) : emit(state, unparsed(line, `Unknown notification: ${method}`, "codex"));
  const read = notifications[method].safeParse(params);
  if (!read.success) {
    const [issue] = read.error.issues;
    return emit(state, unparsed(line, `${method} ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`, "codex"));
  }
  const handle = handlers[method] as (state: CodexState, params: unknown) => CodexStep;
  return handle(state, read.data);
}

/** Lines with words of the provider. What models and tools say is kept as it is. */
const diagnostics: ReadonlySet<string> = new Set(["error", "turn/completed", "warning", "guardianWarning"]);

function isKnown(method: string): method is NotificationMethod {
  return Object.hasOwn(notifications, method);
}

const planStatuses = { pending: "pending", inProgress: "in_progress", completed: "completed" } as const;
const quiet = (state: CodexState): CodexStep => emit(state);

const handlers: { [M in NotificationMethod]: (state: CodexState, params: Notified<M>) => CodexStep } = {
  "turn/started": (state, { threadId, turn }) =>
    isOwn(state, threadId) ? startTurn(state, turn.id) : startChildTurn(state, threadId, turn.id),
  "turn/completed": (state, { threadId, turn }) => {
    if (isOwn(state, threadId)) return completeTurn(state, threadId, turn);
    return chain(
      state,
      (before) => closeItems(before, threadId, "cancelled"),
      (before) => dropRequests(before, threadId),
      (before) => completeChildTurn(before, threadId, turn),
    );
  },
  // It grows with every edit; the last one of a turn says all of it.
  "turn/diff/updated": (state, { threadId, diff }) => emit(isOwn(state, threadId) ? { ...state, diff } : state),
  "turn/plan/updated": (state, { plan }) => {
    const entries = plan.map(({ step, status }) => ({ content: step, status: planStatuses[status] }));
    return emit(state, { type: "plan.updated", data: { entries } });
  },
  "item/started": (state, { threadId, item }) => onItemStarted(state, threadId, item),
  "item/completed": (state, { threadId, item }) => onItemCompleted(state, threadId, item),
  "item/agentMessage/delta": (state, delta) => addTextDelta(state, delta, "text"),
  "item/reasoning/summaryTextDelta": (state, delta) =>
    addTextDelta(state, delta, "reasoning", `s${delta.summaryIndex}`),
  "item/reasoning/textDelta": (state, delta) => addTextDelta(state, delta, "reasoning", `c${delta.contentIndex}`),
  "item/commandExecution/outputDelta": addOutputDelta,
  "item/fileChange/outputDelta": addOutputDelta,
  "item/mcpToolCall/progress": (state, { threadId, itemId, message }) =>
    addOutputDelta(state, { threadId, itemId, delta: `${message}\n` }),
  // A plan has no text part that deltas could add up to; it comes whole with its completion.
  "item/plan/delta": quiet,
  // Says that text follows, and text does.
  "item/reasoning/summaryPartAdded": quiet,
  // The finished item says the same.
  "item/fileChange/patchUpdated": quiet,
  "item/commandExecution/terminalInteraction": (state, { threadId, stdin }) =>
    addThreadStatus(state, threadId, { label: "terminal_input", detail: stdin }),
  "thread/tokenUsage/updated": onUsage,
  "thread/name/updated": (state, { threadName }) =>
    threadName ? emit(state, { type: "session.updated", data: { title: threadName } }) : emit(state),
  "thread/settings/updated": (state, { threadId, threadSettings: { model } }) => setModel(state, threadId, model),
  // The turn and its requests say what it would say; a thread in `systemError` tells the error next.
  "thread/status/changed": quiet,
  "thread/compacted": (state, { threadId }) => addThreadStatus(state, threadId, { label: "context_compacted" }),
  "model/rerouted": (state, { threadId, fromModel, toModel }) =>
    chain(
      state,
      (before) => addThreadStatus(before, threadId, { label: "model_rerouted", detail: `${fromModel} → ${toModel}` }),
      (before) => setModel(before, threadId, toModel),
    ),
  "mcpServer/startupStatus/updated": (state, { threadId, name, status, error }) => {
    if (status !== "failed") return emit(state);
    return addThreadStatus(state, threadId, {
      label: "mcp_server_failed",
      detail: `${name}: ${error ?? "no reason given"}`,
    });
  },
  "serverRequest/resolved": (state, { requestId }) => {
    const requestKey = String(requestId);
    if (!state.requests.has(requestKey)) return emit(state);
    const requests = withoutEntry(state.requests, requestKey);
    return emit({ ...state, requests }, { type: "request.withdrawn", data: { requestKey } });
  },
  error: (state, { threadId, error, willRetry }) => {
    // We have told it and stopped the turn.
    if (isOwn(state, threadId) && state.turn?.failure !== undefined) return emit(state);
    if (!willRetry) return isOwn(state, threadId) ? emit(state, errorOf(error)) : addChildError(state, threadId, error);
    const reason = reasonOf(error);
    if (isOwn(state, threadId) && state.turn !== null && isFinal(causeOf(reason))) return failTurn(state, reason);
    // The retry speaks in new items (0.166.0).
    return chain(
      markCut(state, (open) => open.threadId === threadId && isSpoken(open.native.type)),
      (before) => addThreadStatus(before, threadId, { label: "retrying", detail: retryText(error) }),
      (before) => emit(before, { type: "retry.announced", data: {} }),
    );
  },
  "hook/started": (state, { threadId, run }) => addHook(state, threadId, "hook started", run),
  "hook/completed": (state, { threadId, run }) => addHook(state, threadId, "hook ended", run),
  // What comes of it follows.
  "item/autoApprovalReview/started": quiet,
  "item/autoApprovalReview/completed": (state, { threadId, review: { status, rationale } }) =>
    addThreadStatus(state, threadId, { label: "approval_review", detail: joined(status, rationale) }),
  "modelProvider/authRecoveryStarted": (state, { threadId, message }) =>
    addThreadStatus(state, threadId, { label: "auth_recovery", detail: message }),
  "modelProvider/authRecoveryCompleted": (state, { threadId, message }) =>
    addThreadStatus(state, threadId, { label: "auth_recovery", detail: message }),
  "mcpServer/oauthLogin/completed": (state, { name, success, error }) =>
    success ? emit(state) : addStatus(state, { label: "mcp_server_failed", detail: joined(name, error) }),
  configWarning: addNotice,
  deprecationNotice: addNotice,
  warning: (state, { threadId, message }) => addThreadStatus(state, threadId, { label: "warning", detail: message }),
  guardianWarning: (state, { threadId, message }) =>
    addThreadStatus(state, threadId, { label: "warning", detail: message }),
};

function addHook(state: CodexState, threadId: string, label: string, run: Notified<"hook/started">["run"]): CodexStep {
  return addThreadStatus(state, threadId, {
    label,
    detail: joined(`${run.eventName} ${run.status}`, run.statusMessage),
  });
}

function addNotice(state: CodexState, { summary, details }: Notified<"configWarning">): CodexStep {
  return addStatus(state, { label: "warning", detail: joined(summary, details) });
}

const joined = (what: string, why: string | null | undefined): string => (why ? `${what}: ${why}` : what);

function setModel(state: CodexState, threadId: string, model: string): CodexStep {
  if (!isOwn(state, threadId) || model === state.model) return emit(state);
  return emit({ ...state, model }, { type: "session.updated", data: { model } });
}

function addChildError(state: CodexState, threadId: string, error: Notified<"error">["error"]): CodexStep {
  return addThreadStatus(state, threadId, { label: "error", detail: error.message });
}

/** A notice of a retry has the count as its message and the reason beside it. */
function reasonOf(error: Notified<"error">["error"]): Notified<"error">["error"] {
  const { additionalDetails, ...rest } = error;
  return additionalDetails ? { ...rest, message: additionalDetails } : error;
}

/** What is refused once is refused again. */
const isFinal = (cause: Cause): boolean => cause === "auth_failed" || cause === "refused";

const isSpoken = (type: string): boolean => type === "agentMessage" || type === "reasoning" || type === "plan";

/** `Reconnecting... 1/2`, and the reason beside it or in brackets behind it. */
function retryText({ message, additionalDetails }: Notified<"error">["error"]): string | undefined {
  const [, attempt, most, own] = /^Reconnecting\.\.\. (\d+)\/(\d+)(?: \((.*)\))?$/s.exec(message) ?? [];
  const reason = additionalDetails || own;
  if (attempt !== undefined) return retryDetail({ attempt: Number(attempt), most: Number(most), reason });
  return [message, reason].filter(Boolean).join(": ");
}
