import type { Message } from "@muster/codebuff-protocol";
import { readResultsXml, resultsXml } from "../xml/results.ts";
import { shorten } from "./shorten.ts";

/** A result longer than this many characters is shortened to about as many once it is old. */
const longResult = 1000;
const longDiff = 2000;
const fullTerminalOutputs = 5;

/** Tags of the messages that hold agent mode's results as XML. */
export const toolResultsTag = "TOOL_RESULTS";

/**
 * The softer stage: old tool results become short, largest first, until `enough` says so. The newest terminal outputs and
 * everything from `tailStart` on stay in full.
 */
export function shortenOldResults(
  messages: readonly Message[],
  tailStart: number,
  enough: (messages: readonly Message[]) => boolean,
): readonly Message[] {
  const kept = newestTerminalOutputs(messages);
  const old = messages
    .map((message, index) => ({ index, size: resultSize(message) }))
    .filter(({ index, size }) => index < tailStart && size > longResult && !kept.has(index))
    .sort((one, other) => other.size - one.size);
  const shortened = [...messages];
  for (const { index } of old) {
    if (enough(shortened)) break;
    const message = shortened[index];
    if (message !== undefined) shortened[index] = shortenResult(message, longResult);
  }
  return shortened;
}

/** The message with every result in it cut to about `limit` characters; an edit keeps its diff twice as long. */
export function shortenResult(message: Message, limit: number): Message {
  if (message.role === "tool") {
    return { ...message, content: message.content.map((part) => shortenPart(part, limit)) };
  }
  if (message.role === "system" && isResults(message)) {
    const results = readResultsXml(message.content);
    return {
      ...message,
      content: resultsXml(results.map((one) => ({ ...one, result: shortenText(one.result, limit) }))),
    };
  }
  return message;
}

export function isResults(message: Message): boolean {
  return message.role === "tool" || (message.tags?.includes(toolResultsTag) ?? false);
}

type Part = Extract<Message, { role: "tool" }>["content"][number];
export type Json = Extract<Part, { type: "json" }>["value"];

/** A result that is JSON stays JSON, so that a summary still finds the diff in it. */
function shortenText(text: string, limit: number): string {
  if (text.length <= limit || !/^[[{]/.test(text)) return shorten(text, limit);
  try {
    const part = shortenPart({ type: "json", value: JSON.parse(text) as Json }, limit);
    return part.type === "json" ? JSON.stringify(part.value) : shorten(text, limit);
  } catch {
    return shorten(text, limit); // not JSON after all
  }
}

function shortenPart(part: Part, limit: number): Part {
  if (part.type === "media") return { type: "json", value: { note: `${part.mediaType} left out` } };
  if (JSON.stringify(part.value).length <= limit) return part;
  const cap = Math.floor(limit / Math.max(1, countLongTexts(part.value)));
  const value = shortenValue(part.value, Math.max(80, cap), limit);
  const text = JSON.stringify(value);
  const most = Math.max(limit, longDiff) * 2;
  return { type: "json", value: text.length <= most ? value : { shortened: shorten(text, limit) } };
}

/** Cuts long texts and long lists anywhere inside a value; its shape stays. */
export function shortenValue(value: Json, cap: number, limit: number): Json {
  if (typeof value === "string") return shorten(value, cap);
  if (Array.isArray(value)) {
    const most = Math.max(5, Math.floor(limit / 40));
    const first = value.slice(0, most).map((one) => shortenValue(one, cap, limit));
    return value.length > most ? [...first, `… ${value.length - most} more left out`] : first;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, shortenValue(one, key === "unifiedDiff" ? longDiff : cap, limit)]),
  );
}

function countLongTexts(value: Json): number {
  if (typeof value === "string") return value.length > 80 ? 1 : 0;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + countLongTexts(one), 0);
}

function newestTerminalOutputs(messages: readonly Message[]): Set<number> {
  const newest = new Set<number>();
  for (let index = messages.length - 1; index >= 0 && newest.size < fullTerminalOutputs; index -= 1) {
    const message = messages[index];
    if (message !== undefined && isTerminalOutput(message)) newest.add(index);
  }
  return newest;
}

function isTerminalOutput(message: Message): boolean {
  if (message.role === "tool") return message.toolName === "run_terminal_command";
  return (
    message.role === "system" && isResults(message) && message.content.includes("<tool>run_terminal_command</tool>")
  );
}

function resultSize(message: Message): number {
  if (message.role === "tool") {
    return message.content.reduce((sum, part) => sum + sizeOfPart(part), 0);
  }
  return message.role === "system" && isResults(message) ? message.content.length : 0;
}

function sizeOfPart(part: Part): number {
  return part.type === "media" ? part.data.length : JSON.stringify(part.value).length;
}
