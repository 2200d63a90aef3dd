import { type Message, type PrintModeEvent, rootAgentName } from "@muster/codebuff-protocol";
import { type SessionEntry, standingOf } from "@muster/codebuff-sdk";
import { z } from "zod";
import type { Entry, Happening } from "./items.ts";
import { readShownPrompt } from "./shown-prompt.ts";

/** What the screen keeps in a session file beside the history: `note` entries of these kinds. */
export const noteKinds = {
  /** An event that no message of the history tells: sub-agents, errors, costs. */
  event: "event",
  /** A whole entry of the person: a command of `!`. */
  person: "person",
  /** How long a call took by itself: what stands between two lines of the file is also the person's thinking. */
  time: "time",
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
    case "reasoning_delta":
      return true;
    case "start":
    case "tool_progress":
    case "download":
      return false;
  }
}

/** The entries of a session file as what was seen when they were written; what was taken back is left out. Pure. */
export function replay(entries: readonly SessionEntry[]): Entry[] {
  const standing = standingOf(entries);
  const answers = answersByCall(standing);
  const times = timesByCall(standing);
  const told = new Set<Message>();
  let run = { hasFinish: false, hasWords: false, hasThoughts: false, hasPrompt: false };
  const tell = (message: Message, agentId: string, at: number): Entry[] => {
    if (told.has(message)) return [];
    told.add(message);
    return ofMessage(message, agentId)
      .filter(({ type }) => !(type === "text" && run.hasWords) && !(type === "reasoning_delta" && run.hasThoughts))
      .map((one) => (one.type === "tool_result" ? { ...one, durationMs: times.get(one.toolCallId) ?? 0 } : one))
      .map((one) => ({ ...one, at }));
  };
  const entriesOf = (entry: SessionEntry): Entry[] => {
    const { at } = entry;
    switch (entry.type) {
      case "run":
        run = { hasFinish: false, hasWords: false, hasThoughts: false, hasPrompt: false };
        return [{ type: "start", messageHistoryLength: 0, agentId: entry.agent, model: entry.model, at }];
      case "calls":
        // The answer with these calls is written when they have ended; it was seen when they began.
        return [...new Set(entry.calls.map((call) => answers.get(call.toolCallId) ?? call))].flatMap((one) =>
          "role" in one ? tell(one, entry.agentId, at) : [{ type: "tool_call", ...one, agentId: entry.agentId, at }],
        );
      case "append":
      case "edit":
        return entry.messages
          .flatMap((message) => tell(message, entry.agentId, at))
          .map((one) => {
            if (one.type !== "user_message") return one;
            // The second prompt of a run was said into it.
            const steers = run.hasPrompt;
            run.hasPrompt = true;
            return steers ? { ...one, steers } : one;
          });
      case "note": {
        if (entry.kind !== noteKinds.event && entry.kind !== noteKinds.person) return [];
        const noted = entry.value as Happening;
        run.hasFinish ||= noted.type === "finish";
        // A task of agent mode has told its answer by its events already; thoughts are not part of every history.
        run.hasWords ||= noted.type === "text";
        run.hasThoughts ||= noted.type === "reasoning_delta";
        return [{ ...noted, at }];
      }
      case "end": {
        // A run of another front end has no note of its end.
        if (run.hasFinish) return [];
        const status = entry.status === "completed" || entry.status === "cancelled" ? entry.status : "failed";
        return [{ type: "finish", totalCost: 0, costUnknown: true, status, at }];
      }
      case "replace":
      case "rewind":
      case "redo":
        return [];
    }
  };
  return endCommands(standing.flatMap(entriesOf));
}

/** Commands of the person that a kill cut short have ended with their process. */
function endCommands(entries: Entry[]): Entry[] {
  const open = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "user_command") open.add(entry.id);
    if (entry.type === "user_command_end") open.delete(entry.id);
  }
  if (open.size === 0) return entries;
  const at = entries.at(-1)?.at ?? 0;
  return [...entries, ...[...open].map((id): Entry => ({ type: "user_command_end", id, exitCode: undefined, at }))];
}

const Time = z.object({ toolCallId: z.string(), durationMs: z.number() });

/** What is not there was too short to be shown. */
function timesByCall(entries: readonly SessionEntry[]): Map<string, number> {
  const notes = entries.flatMap((entry) =>
    entry.type === "note" && entry.kind === noteKinds.time ? [entry.value] : [],
  );
  return new Map(
    notes.flatMap((value) => {
      const time = Time.safeParse(value);
      return time.success ? [[time.data.toolCallId, time.data.durationMs] as const] : [];
    }),
  );
}

/** Where each call stands in the history. */
function answersByCall(entries: readonly SessionEntry[]): Map<string, Message> {
  const found = new Map<string, Message>();
  for (const entry of entries) {
    if (entry.type !== "append" && entry.type !== "edit") continue;
    for (const message of entry.messages) {
      if (message.role !== "assistant") continue;
      for (const part of message.content) if (part.type === "tool-call") found.set(part.toolCallId, message);
    }
  }
  return found;
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
