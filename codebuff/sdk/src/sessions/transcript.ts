import { type Message, readTypedPrompt, rootAgentName } from "@muster/codebuff-protocol";
import { attachBytes } from "./attached-bytes.ts";
import type { SessionHeader } from "./entries.ts";
import { filesFolder } from "./places.ts";
import { restoreSession, standingEntries } from "./restore-session.ts";
import { readHeader } from "./session-reader.ts";

export interface TranscriptMessage {
  readonly n: number;
  readonly at: number;
  readonly agentId: string;
  readonly message: Message;
}

export interface Transcript {
  readonly header: SessionHeader;
  readonly title: string;
  readonly messages: readonly TranscriptMessage[];
}

/** What was said and done, in order; not what the model's history was shortened to later. */
export async function readTranscript(folder: string, id: string): Promise<Transcript> {
  const header = await readHeader(folder, id);
  const messages: TranscriptMessage[] = [];
  for (const entry of await standingEntries(folder, id)) {
    if (entry.type !== "append" && entry.type !== "edit") continue;
    const { n, at, agentId } = entry;
    const whole = await attachBytes(entry.messages, filesFolder(folder, id));
    messages.push(...whole.map((message) => ({ n, at, agentId, message })));
  }
  if (messages.length > 0) return { header, title: titleOf(messages.map(({ message }) => message)), messages };
  // A fork of a shortened history has only what the model saw.
  const restored = await restoreSession(folder, id);
  const seen = restored.messages.map((message) => ({ n: 0, at: header.created, agentId: rootAgentName, message }));
  return { header, title: titleOf(restored.messages), messages: seen };
}

/** The first words of the person. */
export function titleOf(messages: readonly Message[]): string {
  const first = messages.find((message) => message.role === "user" && isPrompt(message));
  return first === undefined ? "" : oneLine(userText(first)).slice(0, 80);
}

/** The person's own words, without the element they travel in. */
export function userText(message: Message): string {
  if (message.role !== "user") return "";
  const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return readTypedPrompt(/<user_message>([\s\S]*?)<\/user_message>/.exec(text)?.[1] ?? text);
}

/** Instructions and reminders are user messages too; the person did not write them. */
export function isPrompt(message: Message): boolean {
  return message.tags === undefined || message.tags.length === 0 || message.tags.includes("USER_PROMPT");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
