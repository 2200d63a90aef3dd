import { type Message, type PrintModeEvent, rootAgentName } from "@muster/codebuff-protocol";
import type { SessionEntry } from "@muster/codebuff-sdk";
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

/** Events that messages do not tell; the screen writes them down as they come. */
export function mustBeNoted({ type }: PrintModeEvent): boolean {
  return type === "subagent_start" || type === "subagent_finish" || type === "error" || type === "finish";
}

/** The entries of a session file as what was seen when they were written; what was taken back is left out. Pure. */
export function replay(entries: readonly SessionEntry[]): Entry[] {
  let standing: SessionEntry[] = [];
  for (const entry of entries) {
    if (entry.type === "rewind") standing = standing.filter(({ n }) => n <= entry.to);
    else standing.push(entry);
  }
  let hasFinish = false;
  return standing.flatMap((entry): Entry[] => {
    if (entry.type === "run") hasFinish = false;
    if (entry.type === "note" && isFinish(entry.value)) hasFinish = true;
    // A run of another front end has no note of its end.
    if (entry.type === "end" && hasFinish) return [];
    return entriesOf(entry);
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

function isFinish(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && value.type === "finish";
}
