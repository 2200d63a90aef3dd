import type {
  ToolKind as AcpToolKind,
  PlanEntry,
  SessionUpdate,
  ToolCallContent,
  ToolCallLocation,
} from "@agentclientprotocol/sdk";
import type { Body, Item, Part, ToolKind, UniversalEvent } from "@muster/schema";
import { diffHunks } from "./diff-hunks.ts";

/** Enough to see that something happens; the result tells all. */
const shownOutput = 4_000;

/** Events → session updates of the Agent Client Protocol. Pure; live and for a session that is loaded again. */
export class SessionUpdates {
  /** A session that is loaded shows what the person said too. */
  readonly #showsUser: boolean;
  /** By item and index: how much of a text deltas have told. */
  readonly #told = new Map<string, number>();
  readonly #callOfItem = new Map<string, { callId: string; output: string }>();

  constructor({ showsUser }: { showsUser: boolean }) {
    this.#showsUser = showsUser;
  }

  push(event: UniversalEvent): SessionUpdate[] {
    switch (event.type) {
      case "item.started":
        return event.data.item.content.flatMap((part) =>
          part.type === "tool_call" ? this.#startCall(event.data.item, part) : [],
        );
      case "item.delta":
        return this.#grow(event.data);
      case "item.completed":
        return this.#complete(event.data.item);
      case "plan.updated":
        return [{ sessionUpdate: "plan", entries: event.data.entries.map(planEntry) }];
      case "usage.updated":
        return usage(event.data);
      case "error": {
        const { code, message, retryable } = event.data;
        const severity = retryable ? "warning" : "error";
        return [{ sessionUpdate: "notice", severity, title: code, description: message }];
      }
      case "session.updated":
        return settings(event.data);
      case "agent.unparsed":
        return [notice("Something the agent said was not understood", event.data.error)];
      case "snapshot.skipped":
        return [];
      case "log.damaged":
        return [notice("Part of this session can no longer be read")];
      case "session.started":
        return event.data.contextLost ? [notice("The agent no longer remembers what was said before")] : [];
      case "session.ended":
      case "message.updated":
      case "turn.started":
      case "turn.ended":
      case "question.requested":
      case "question.resolved":
      case "permission.requested":
      case "permission.resolved":
        return [];
    }
    // A type of a newer daemon.
    return [];
  }

  /** The id under which the editor knows the call of an item. */
  callOf(itemId: string | undefined): string | undefined {
    return itemId === undefined ? undefined : this.#callOfItem.get(itemId)?.callId;
  }

  #startCall(item: Item, part: Extract<Part, { type: "tool_call" }>): SessionUpdate[] {
    this.#callOfItem.set(item.itemId, { callId: part.callId, output: "" });
    return [{ sessionUpdate: "tool_call", status: "in_progress", ...callHead(part) }];
  }

  #grow({ itemId, index, part, delta }: Body<"item.delta">["data"]): SessionUpdate[] {
    if (part === "input") return [];
    if (part === "output") {
      const call = this.#callOfItem.get(itemId);
      if (call === undefined) return [];
      call.output = (call.output + delta).slice(-shownOutput);
      const content = [textContent(call.output)];
      return [{ sessionUpdate: "tool_call_update", toolCallId: call.callId, status: "in_progress", content }];
    }
    const key = `${itemId}.${index}`;
    this.#told.set(key, (this.#told.get(key) ?? 0) + delta.length);
    return [chunk(part === "text" ? "agent_message_chunk" : "agent_thought_chunk", itemId, delta)];
  }

  #complete(item: Item): SessionUpdate[] {
    if (item.role === "user") return this.#showsUser && item.parentId === undefined ? userChunks(item) : [];
    return item.content.flatMap((part, index) => this.#completePart(item, part, index));
  }

  #completePart(item: Item, part: Part, index: number): SessionUpdate[] {
    switch (part.type) {
      case "text":
      case "plan":
      case "reasoning": {
        const rest = part.text.slice(this.#told.get(`${item.itemId}.${index}`) ?? 0);
        if (rest === "") return [];
        return [chunk(part.type === "reasoning" ? "agent_thought_chunk" : "agent_message_chunk", item.itemId, rest)];
      }
      case "image":
        if (part.data === undefined) return [];
        return [
          {
            sessionUpdate: "agent_message_chunk",
            messageId: item.itemId,
            content: { type: "image", data: part.data, mimeType: part.mime },
          },
        ];
      case "tool_call": {
        const begun = this.#callOfItem.has(item.itemId) ? [] : this.#startCall(item, part);
        const status = item.status === "completed" || item.status === "in_progress" ? "in_progress" : "failed";
        return [...begun, { sessionUpdate: "tool_call_update", status, ...callHead(part) }];
      }
      case "tool_result":
        return [resultOf(item, part)];
      case "status":
        return [notice(part.label, part.detail)];
      case "file":
      case "json":
        // Parts of a tool's result, told with it.
        return [];
    }
    return [];
  }
}

function callHead({ callId, name, title, toolKind, input }: Extract<Part, { type: "tool_call" }>) {
  return { toolCallId: callId, title: title ?? name, name, kind: acpKind(toolKind), rawInput: input };
}

function acpKind(kind: ToolKind): AcpToolKind {
  return kind === "agent" ? "other" : kind;
}

function resultOf(item: Item, part: Extract<Part, { type: "tool_result" }>): SessionUpdate {
  const files = item.content.filter((other) => other.type === "file");
  const diffs = files.flatMap(({ path, diff }) => (diff === undefined ? [] : diffContent(path, diff)));
  const locations: ToolCallLocation[] = files.map(({ path }) => ({ path }));
  const { callId, output, isError, exitCode, json } = part;
  return {
    sessionUpdate: "tool_call_update",
    toolCallId: callId,
    status: isError ? "failed" : "completed",
    content: [...diffs, ...(output === "" ? [] : [textContent(output)])],
    ...(locations.length > 0 && { locations }),
    rawOutput: { output, exitCode, json },
  };
}

/** One for each place that changed: a unified diff does not hold the rest of the file. */
export function diffContent(path: string, diff: string): ToolCallContent[] {
  return diffHunks(diff).map((hunk) => ({ type: "diff", path, ...hunk }));
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

type ChunkName = "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk";

function chunk(sessionUpdate: ChunkName, messageId: string, text: string): SessionUpdate {
  return { sessionUpdate, messageId, content: { type: "text", text } };
}

function userChunks({ itemId, content }: Item): SessionUpdate[] {
  return content.flatMap((part) => (part.type === "text" ? [chunk("user_message_chunk", itemId, part.text)] : []));
}

function planEntry({
  content,
  status,
  priority = "medium",
}: Body<"plan.updated">["data"]["entries"][number]): PlanEntry {
  return { content, priority, status: status === "cancelled" ? "completed" : status };
}

function usage({ contextTokens, contextWindow, costUsd }: Body<"usage.updated">["data"]): SessionUpdate[] {
  if (contextTokens === undefined || contextWindow === undefined) return [];
  const cost = costUsd === undefined ? undefined : { amount: costUsd, currency: "USD" };
  return [{ sessionUpdate: "usage_update", used: contextTokens, size: contextWindow, cost }];
}

function settings({ agentMode, commands, title }: Body<"session.updated">["data"]): SessionUpdate[] {
  const updates: SessionUpdate[] = [];
  if (agentMode !== undefined) updates.push({ sessionUpdate: "current_mode_update", currentModeId: agentMode });
  if (title !== undefined) updates.push({ sessionUpdate: "session_info_update", title });
  if (commands !== undefined) {
    const availableCommands = commands.map(({ name, description = "" }) => ({ name, description }));
    updates.push({ sessionUpdate: "available_commands_update", availableCommands });
  }
  return updates;
}

function notice(title: string, description?: string): SessionUpdate {
  return { sessionUpdate: "notice", severity: "info", title, description };
}
