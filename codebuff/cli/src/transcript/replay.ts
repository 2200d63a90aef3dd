import { type Message, type PrintModeEvent, rootAgentName } from "@muster/codebuff-protocol";
import { type SessionEntry, standingOf } from "@muster/codebuff-sdk";
import type { Entry, Happening } from "./items.ts";
import { readShownPrompt } from "./shown-prompt.ts";

/** What the screen keeps in a session file beside the history: `note` entries of these kinds. */
export const noteKinds = {
  /** An event that no message of the history tells: sub-agents, errors, costs. */
  event: "event",
  /** A whole entry of the person: a command of `!`. */
  person: "person",
  /** The prompts that wait, all of them; the last note counts. */
  queue: "queue",
} as const;

/**
 * Events that messages do not tell; the screen writes them down as they come. Permissions are asked outside of the
 * history; a task of agent mode has its calls and words in a history of its own.
 */
export function mustBeNoted(event: PrintModeEvent, { agentMode }: { agentMode: boolean }): boolean {
  switch (event.type) {
    case "subagent_start":
    case "subagent_finish":
    case "error":
    case "finish":
      return true;
    case "tool_call":
    case "tool_result":
      return agentMode || event.toolCallId.startsWith("ask-");
    case "text":
      return agentMode;
    case "start":
    case "reasoning_delta":
    case "tool_progress":
    case "download":
      return false;
  }
}

/** The entries of a session file as what was seen when they were written; what was taken back is left out. Pure. */
export function replay(entries: readonly SessionEntry[]): Entry[] {
  let hasFinish = false;
  let hasWords = false;
  return standingOf(entries).flatMap((entry): Entry[] => {
    if (entry.type === "run") {
      hasFinish = false;
      hasWords = false;
    }
    if (entry.type === "note") {
      hasFinish ||= isEvent(entry.value, "finish");
      hasWords ||= isEvent(entry.value, "text");
    }
    // A run of another front end has no note of its end.
    if (entry.type === "end" && hasFinish) return [];
    // The answer of a task has been told by its events already.
    const isTold = (one: Entry) => hasWords && entry.type === "append" && one.type === "text";
    return entriesOf(entry).filter((one) => !isTold(one));
  });
}

function entriesOf(entry: SessionEntry): Entry[] {
  const { at } = entry;
  switch (entry.type) {
    case "run":
      return [{ type: "start", messageHistoryLength: 0, model: entry.model, at }];
    case "append":
    case "edit":
      return entry.messages.flatMap((message) => ofMessage(message, entry.agentId).map((one) => ({ ...one, at })));
    case "end": {
      const status = entry.status === "completed" || entry.status === "cancelled" ? entry.status : "failed";
      return [{ type: "finish", totalCost: 0, costUnknown: true, status, at }];
    }
    case "note":
      return entry.kind === noteKinds.event || entry.kind === noteKinds.person
        ? [{ ...(entry.value as Entry), at }]
        : [];
    case "calls":
    case "replace":
    case "rewind":
    case "redo":
      return [];
  }
}

function ofMessage(message: Message, agentId: string): Happening[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return agentId === rootAgentName && message.tags?.includes("USER_PROMPT") === true ? [ofPrompt(message)] : [];
    case "assistant":
      return message.content.map((part): Happening => {
        if (part.type === "text") return { type: "text", text: part.text, agentId };
        if (part.type === "reasoning") {
          return { type: "reasoning_delta", text: part.text, runId: "", ancestorRunIds: [], agentId };
        }
        const { toolCallId, toolName, input } = part;
        return { type: "tool_call", toolCallId, toolName, input, agentId };
      });
    case "tool": {
      const { toolCallId, toolName, content } = message;
      return [{ type: "tool_result", toolCallId, toolName, output: content, agentId }];
    }
  }
}

function ofPrompt(message: Extract<Message, { role: "user" }>): Happening {
  const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const images = message.content.flatMap((part) => (part.type === "image" ? [part.mediaType] : []));
  const shown = readShownPrompt(text);
  const attachments = [...shown.attachments, ...images];
  return { type: "user_message", messageId: "", text: shown.text, attachments };
}

function isEvent(value: unknown, type: PrintModeEvent["type"]): boolean {
  return typeof value === "object" && value !== null && "type" in value && value.type === type;
}
