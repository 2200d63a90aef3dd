import type { AgentError, Session, SessionState } from "@muster/schema";
import type { Fold } from "../../fold.ts";
import type { SessionFile } from "../../store/session-file.ts";
import { usageOf } from "../../wire-account.ts";
import { definedFields } from "./defined-fields.ts";

/** What of a session is not in its log. */
export interface Circumstances {
  opening: boolean;
  alive: boolean;
  error?: AgentError;
  missingSecrets: readonly string[];
}

/** A session as clients see it. */
export function viewSession(file: SessionFile, fold: Fold, circumstances: Circumstances): Session {
  const { settings } = file;
  const now = { ...settings, ...definedFields(fold.settings) };
  const { missingSecrets } = circumstances;
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = fold.usage;
  return {
    sessionId: file.sessionId,
    agent: settings.agent,
    agentVersion: now.agentVersion,
    nativeSessionId: fold.settings.nativeSessionId,
    model: now.model,
    agentMode: now.agentMode,
    variant: now.variant,
    permissionMode: now.permissionMode,
    directory: settings.directory,
    title: now.title,
    name: now.title ?? (fold.opening && cut(fold.opening)),
    state: stateOf(fold, circumstances),
    healthy: circumstances.error === undefined,
    error: circumstances.error,
    needsCredentials: missingSecrets.length > 0 ? [...missingSecrets] : undefined,
    lastSequence: fold.sequence,
    turnId: fold.turn?.turnId,
    queued: fold.queue.size,
    pendingRequests: fold.questions.size + fold.permissions.size,
    usage: { inputTokens, outputTokens, cachedInputTokens, reasoningTokens },
    costUsd: fold.costUsd + (fold.turn?.costUsd ?? 0),
    keys: fold.settings.keys ?? "none",
    wire: fold.wire.total.requests > 0 ? usageOf(fold.wire.total) : undefined,
    limits: settings.limits,
    budgetGroup: settings.budgetGroup,
    route: settings.route,
    createdAt: file.createdAt,
    updatedAt: fold.updatedAt,
    lastUsedAt: fold.lastUsedAt,
  };
}

const nameLength = 120;

function cut(line: string): string {
  return line.length > nameLength ? `${line.slice(0, nameLength - 1)}…` : line;
}

function stateOf(fold: Fold, { opening, alive }: Circumstances): SessionState {
  if (opening) return "starting";
  if (fold.questions.size + fold.permissions.size > 0) return "waiting";
  if (fold.turn) return "running";
  if (fold.life === "ended") return "ended";
  return alive ? "idle" : "asleep";
}
