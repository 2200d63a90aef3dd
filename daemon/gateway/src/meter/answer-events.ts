import { isRecord } from "@muster/core";
import { readUsage, type Usage, usageOfBody } from "@muster/metering";
import type { WireRequest } from "../ports.ts";

type Protocol = WireRequest["protocol"];
type Fields = Readonly<Record<string, unknown>>;

/** What an answer has told so far. */
export interface Told {
  readonly usage: Usage | undefined;
  /** The usage is the last word: a stream tells its output only at the end. */
  readonly isFinal: boolean;
  /** The model has said that it is done. */
  readonly isOver: boolean;
  /** Characters the model wrote: text, reasoning that is shown, arguments of calls. */
  readonly characters: number;
  readonly answerId: string | undefined;
  /** The model that answered, in the provider's words. It need not be the one that was asked: a request may name others. */
  readonly model: string | undefined;
  /** Why the model stopped, in the provider's words. */
  readonly finishReason: string | undefined;
}

export const nothingTold: Told = {
  usage: undefined,
  isFinal: false,
  isOver: false,
  characters: 0,
  answerId: undefined,
  model: undefined,
  finishReason: undefined,
};

/** Pure: what is known after one more event of a stream. */
export function readEvent(protocol: Protocol, told: Told, event: unknown): Told {
  if (!isRecord(event)) return event === "[DONE]" ? { ...told, isOver: true } : told;
  const usage = readUsage(protocol, told.usage, event);
  return {
    usage,
    isFinal: told.isFinal || (usage !== undefined && isLast(protocol, event)),
    isOver: told.isOver || isEnd(protocol, event),
    characters: told.characters + charactersOf(protocol, event),
    answerId: told.answerId ?? idOf(event),
    model: told.model ?? modelOf(event),
    finishReason: finishReasonOf(protocol, event) ?? told.finishReason,
  };
}

/** The same for an answer that came as one. */
export function readWhole(protocol: Protocol, body: unknown): Told {
  const usage = usageOfBody(protocol, body);
  const fields = isRecord(body) ? body : {};
  return {
    usage,
    isFinal: usage !== undefined,
    isOver: true,
    characters: usage ? 0 : charactersIn(body),
    answerId: idOf(fields),
    model: modelOf(fields),
    finishReason: finishReasonOf(protocol, fields),
  };
}

function isLast(protocol: Protocol, event: Fields): boolean {
  switch (protocol) {
    case "messages":
      return event.type === "message_delta";
    case "responses":
      return isRecord(event.response) && event.response.usage !== null && event.response.usage !== undefined;
    case "chat":
      return isRecord(event.usage);
    case "gemini":
      return listOf(event.candidates).some((candidate) => typeof candidate.finishReason === "string");
  }
}

function isEnd(protocol: Protocol, event: Fields): boolean {
  switch (protocol) {
    case "messages":
      return event.type === "message_stop" || (isRecord(event.delta) && typeof event.delta.stop_reason === "string");
    case "responses":
      return ["response.completed", "response.incomplete", "response.failed"].includes(String(event.type));
    case "chat":
      return false;
    case "gemini":
      return isLast(protocol, event);
  }
}

function charactersOf(protocol: Protocol, event: Fields): number {
  switch (protocol) {
    case "messages":
      return event.type === "content_block_delta" ? charactersIn(event.delta) : 0;
    case "responses":
      return typeof event.delta === "string" ? event.delta.length : 0;
    case "chat":
      return listOf(event.choices).reduce((sum, { delta }) => sum + charactersIn(delta), 0);
    case "gemini":
      return listOf(event.candidates).reduce((sum, { content }) => sum + charactersIn(content), 0);
  }
}

const notWritten = new Set(["role", "id", "type", "index", "signature", "thoughtSignature", "object", "model"]);

function charactersIn(said: unknown): number {
  if (typeof said === "string") return said.length;
  if (typeof said !== "object" || said === null) return 0;
  return Object.entries(said).reduce((sum, [key, value]) => (notWritten.has(key) ? sum : sum + charactersIn(value)), 0);
}

/** Of the answer, not of one of its parts: those are called otherwise in every protocol. */
function idOf(event: Fields): string | undefined {
  const { response, message } = event;
  const said = [response, message, event].filter(isRecord).flatMap(({ id, responseId }) => [id, responseId]);
  return said.find((id) => typeof id === "string" && id !== "") as string | undefined;
}

function finishReasonOf(protocol: Protocol, event: Fields): string | undefined {
  const told = finishReasonIn(protocol, event);
  return typeof told === "string" && told !== "" ? told : undefined;
}

function finishReasonIn(protocol: Protocol, event: Fields): unknown {
  switch (protocol) {
    case "messages":
      return isRecord(event.delta) ? event.delta.stop_reason : event.stop_reason;
    case "responses": {
      const response = isRecord(event.response) ? event.response : event;
      if (isRecord(response.incomplete_details)) return response.incomplete_details.reason;
      return response.status === "in_progress" || response.status === "queued" ? undefined : response.status;
    }
    case "chat":
      return listOf(event.choices)[0]?.finish_reason;
    case "gemini":
      return listOf(event.candidates)[0]?.finishReason;
  }
}

function modelOf(event: Fields): string | undefined {
  const { response, message } = event;
  const said = [event, response, message].filter(isRecord).flatMap(({ model, modelVersion }) => [model, modelVersion]);
  return said.find((name) => typeof name === "string" && name !== "") as string | undefined;
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
