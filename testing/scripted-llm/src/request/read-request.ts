import { createHash } from "node:crypto";
import { readAnthropic } from "./anthropic-request.ts";
import { readChat } from "./chat-request.ts";
import { readGemini } from "./gemini-request.ts";
import type { HistoryEntry, ModelRequest, ProtocolName, ReadBody } from "./model-request.ts";
import { readResponses } from "./openai-responses-request.ts";
import { agentOf, markedWords, sessionOf, withoutAdditions } from "./recognise-agent.ts";

const readers: Record<ProtocolName, (body: unknown, path: string) => ReadBody> = {
  anthropic: readAnthropic,
  chat: readChat,
  responses: readResponses,
  gemini: readGemini,
};

export interface ReceivedRequest {
  readonly protocol: ProtocolName;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText: string;
  readonly body: unknown;
}

/** Pure: what a script may ask about a request, worked out once. */
export function readRequest(received: ReceivedRequest): ModelRequest {
  const read = readers[received.protocol](received.body, received.path);
  const history = onlyPersonsWords(read.history);
  const lastAssistant = history.findLastIndex((entry) => entry.role === "assistant");
  const lastUser = history.findLastIndex((entry) => entry.role === "user");
  const agent = agentOf(received.headers["user-agent"] ?? "", read.tools);
  return {
    ...received,
    sha256: createHash("sha256").update(received.bodyText).digest("hex"),
    model: read.model,
    stream: read.stream,
    wantsUsage: read.wantsUsage || agent === "codebuff",
    system: textsOf(history, "system").join("\n"),
    userTexts: textsOf(history, "user"),
    toolResults: textsOf(history.slice(lastAssistant + 1), "tool"),
    replies: countReplies(history) + (read.follows === undefined ? 0 : 1),
    repliesSincePrompt: countReplies(history.slice(lastUser + 1)),
    replyIds: newestIds(history, read.follows),
    replyIdsSincePrompt: newestIds(history.slice(lastUser + 1), read.follows),
    tools: read.tools,
    agent,
    session: sessionOf(received.headers, received.body),
  };
}

function onlyPersonsWords(history: readonly HistoryEntry[]): HistoryEntry[] {
  const isMarked = history.some((entry) => entry.role === "user" && markedWords(entry.text) !== undefined);
  return history.flatMap((entry) => {
    if (entry.role !== "user") return [entry];
    const text = isMarked ? (markedWords(entry.text) ?? "") : withoutAdditions(entry.text);
    return text === "" ? [] : [{ ...entry, text }];
  });
}

function textsOf(history: readonly HistoryEntry[], role: HistoryEntry["role"]): string[] {
  return history.filter((entry) => entry.role === role).map((entry) => entry.text);
}

/** Neighbouring assistant entries are one reply: Responses lists each of its items on its own. */
function countReplies(history: readonly HistoryEntry[]): number {
  return history.filter((entry, at) => entry.role === "assistant" && history[at - 1]?.role !== "assistant").length;
}

function newestIds(history: readonly HistoryEntry[], follows: string | undefined): string[] {
  const ids = history.toReversed().flatMap((entry) => entry.ids ?? []);
  return follows === undefined ? ids : [follows, ...ids];
}
