import type { Message } from "@muster/codebuff-protocol";
import { shorten } from "./shorten.ts";
import { type Json, shortenResult, shortenValue } from "./shorten-results.ts";

/** Every text, argument and result of these messages cut to about `characters`; who called what stays. */
export function squeeze(messages: readonly Message[], characters: number): Message[] {
  return messages.map((message) => squeezeMessage(message, characters));
}

function squeezeMessage(message: Message, characters: number): Message {
  switch (message.role) {
    case "system":
    case "tool":
      return shortenResult(message, characters);
    case "user":
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "text"
            ? { ...part, text: shorten(part.text, characters) }
            : { type: "text", text: `[${part.mediaType} left out]` },
        ),
      };
    case "assistant":
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "tool-call"
            ? { ...part, input: squeezeInput(part.input, characters) }
            : { ...part, text: shorten(part.text, characters) },
        ),
      };
  }
}

function squeezeInput(input: Record<string, Json>, characters: number): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, shortenValue(value, characters, characters)]),
  );
}
