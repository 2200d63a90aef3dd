import { unparsed } from "../../converter/unparsed.ts";
import { causeOf, errorOf } from "./failures.ts";
import { giveUp, itemCompleted, itemStarted, notice, outputDelta, textDelta } from "./items.ts";
import { ignorable, type NotificationMethod, type Notified, notifications } from "./native.ts";
import { withoutSecret } from "./redact.ts";
import { type CodexState, type CodexStep, inOrder, isOwn, told, withoutEntry } from "./state.ts";
import { childTurnCompleted, childTurnStarted } from "./sub-agents.ts";
import { requestsDropped, turnCompleted, turnFailed, turnStarted } from "./turns.ts";
import { usageUpdated } from "./usage.ts";

/** What Codex says without being asked. */
export function notified(state: CodexState, line: { method: string; params?: unknown }): CodexStep {
  const { method } = line;
  const params = diagnostics.has(method) ? withoutSecret(line.params, state.secret) : line.params;
  if (Object.hasOwn(ignorable, method)) return told(state);
  if (!isKnown(method)) return told(state, unparsed(line, `Unknown notification: ${method}`, "codex"));
  const read = notifications[method].safeParse(params);
  if (!read.success) {
    const [issue] = read.error.issues;
    return told(state, unparsed(line, `${method} ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`, "codex"));
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
const quiet = (state: CodexState): CodexStep => told(state);

const handlers: { [M in NotificationMethod]: (state: CodexState, params: Notified<M>) => CodexStep } = {
  "turn/started": (state, { threadId, turn }) =>
    isOwn(state, threadId) ? turnStarted(state, turn.id) : childTurnStarted(state, threadId, turn.id),
  "turn/completed": (state, { threadId, turn }) => {
    if (isOwn(state, threadId)) return turnCompleted(state, threadId, turn);
    return inOrder(
      state,
      (before) =>
        giveUp(before, (open) => open.threadId === threadId && open.native.type !== "commandExecution", "cancelled"),
      (before) => requestsDropped(before, threadId),
      (before) => childTurnCompleted(before, threadId, turn),
    );
  },
  // It grows with every edit; the last one of a turn says all of it.
  "turn/diff/updated": (state, { threadId, diff }) => told(isOwn(state, threadId) ? { ...state, diff } : state),
  "turn/plan/updated": (state, { plan }) => {
    const entries = plan.map(({ step, status }) => ({ content: step, status: planStatuses[status] }));
    return told(state, { type: "plan.updated", data: { entries } });
  },
  "item/started": (state, { threadId, item }) => itemStarted(state, threadId, item),
  "item/completed": (state, { threadId, item }) => itemCompleted(state, threadId, item),
  "item/agentMessage/delta": (state, delta) => textDelta(state, delta, "text"),
  "item/reasoning/summaryTextDelta": (state, delta) => textDelta(state, delta, "reasoning", `s${delta.summaryIndex}`),
  "item/reasoning/textDelta": (state, delta) => textDelta(state, delta, "reasoning", `c${delta.contentIndex}`),
  "item/commandExecution/outputDelta": outputDelta,
  "item/fileChange/outputDelta": outputDelta,
  "item/mcpToolCall/progress": (state, { threadId, itemId, message }) =>
    outputDelta(state, { threadId, itemId, delta: `${message}\n` }),
  // A plan has no text part that deltas could add up to; it comes whole with its completion.
  "item/plan/delta": quiet,
  // Says that text follows, and text does.
  "item/reasoning/summaryPartAdded": quiet,
  // The finished item says the same.
  "item/fileChange/patchUpdated": quiet,
  "item/commandExecution/terminalInteraction": (state, { threadId, stdin }) =>
    notice(state, threadId, { label: "terminal_input", detail: stdin }),
  "thread/tokenUsage/updated": usageUpdated,
  "thread/name/updated": (state, { threadName }) =>
    threadName ? told(state, { type: "session.updated", data: { title: threadName } }) : told(state),
  "thread/settings/updated": (state, { threadId, threadSettings: { model } }) => modelIs(state, threadId, model),
  // The turn and its requests say what it would say; a thread in `systemError` tells the error next.
  "thread/status/changed": quiet,
  "thread/compacted": (state, { threadId }) => notice(state, threadId, { label: "context_compacted" }),
  "model/rerouted": (state, { threadId, fromModel, toModel }) =>
    inOrder(
      state,
      (before) => notice(before, threadId, { label: "model_rerouted", detail: `${fromModel} → ${toModel}` }),
      (before) => modelIs(before, threadId, toModel),
    ),
  "mcpServer/startupStatus/updated": (state, { threadId, name, status, error }) => {
    if (status !== "failed") return told(state);
    return notice(state, threadId, { label: "mcp_server_failed", detail: `${name}: ${error ?? "no reason given"}` });
  },
  "serverRequest/resolved": (state, { requestId }) => {
    const requestKey = String(requestId);
    if (!state.requests.has(requestKey)) return told(state);
    const requests = withoutEntry(state.requests, requestKey);
    return told({ ...state, requests }, { type: "request.withdrawn", data: { requestKey } });
  },
  error: (state, { threadId, error, willRetry }) => {
    // We have told it and stopped the turn.
    if (isOwn(state, threadId) && state.turn?.failure !== undefined) return told(state);
    if (!willRetry) return isOwn(state, threadId) ? told(state, errorOf(error)) : failedChild(state, threadId, error);
    if (isOwn(state, threadId) && state.turn !== null && causeOf(error) === "auth_failed") {
      return turnFailed(state, reasonOf(error));
    }
    return inOrder(
      state,
      // The retry speaks in new items (0.166.0); what was cut off stays as it is.
      (before) => giveUp(before, (open) => open.threadId === threadId && isSpoken(open.native.type), "cancelled"),
      (before) => notice(before, threadId, { label: "retry", detail: retryText(error) }),
    );
  },
  warning: (state, { threadId, message }) => notice(state, threadId, { label: "warning", detail: message }),
  guardianWarning: (state, { threadId, message }) => notice(state, threadId, { label: "warning", detail: message }),
};

function modelIs(state: CodexState, threadId: string, model: string): CodexStep {
  if (!isOwn(state, threadId) || model === state.model) return told(state);
  return told({ ...state, model }, { type: "session.updated", data: { model } });
}

function failedChild(state: CodexState, threadId: string, error: Notified<"error">["error"]): CodexStep {
  return notice(state, threadId, { label: "error", detail: error.message });
}

/** A notice of a retry has the count as its message and the reason beside it. */
function reasonOf(error: Notified<"error">["error"]): Notified<"error">["error"] {
  const { additionalDetails, ...rest } = error;
  return additionalDetails ? { ...rest, message: additionalDetails } : error;
}

const isSpoken = (type: string): boolean => type === "agentMessage" || type === "reasoning" || type === "plan";

function retryText({ message, additionalDetails }: Notified<"error">["error"]): string {
  return additionalDetails ? `${message}: ${additionalDetails}` : message;
}
