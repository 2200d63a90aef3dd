import type { ImagePart, TextPart } from "@muster/codebuff-protocol";
import type { Entry } from "../transcript/items.ts";
import {
  type TerminalCommand,
  type TextAttachment,
  writeAttachment,
  writeTerminalCommands,
} from "../transcript/shown-prompt.ts";

export interface ImageAttachment {
  readonly name: string;
  readonly image: string;
  readonly mediaType: string;
}

export interface UserInput {
  readonly messageId: string;
  readonly text: string;
  /** What the person ran since the last prompt. */
  readonly commands: readonly TerminalCommand[];
  readonly texts: readonly TextAttachment[];
  readonly images: readonly ImageAttachment[];
  readonly at: number;
}

export interface UserMessage {
  readonly prompt: string;
  readonly content: (TextPart | ImagePart)[];
  /** What the screen shows of it. */
  readonly entry: Entry;
}

/** The first part of a prompt's way (B-1): what goes to the model, and what the person sees of it. */
export function prepareUserMessage({ messageId, text, commands, texts, images, at }: UserInput): UserMessage {
  const ran: TextPart[] = commands.length === 0 ? [] : [{ type: "text", text: writeTerminalCommands(commands) }];
  const attached = texts.map((one): TextPart => ({ type: "text", text: writeAttachment(one) }));
  const pictures = images.map(({ image, mediaType }): ImagePart => ({ type: "image", image, mediaType }));
  const attachments = [...texts.map(({ name }) => name), ...images.map(({ mediaType }) => mediaType)];
  return {
    prompt: text,
    content: [...ran, ...attached, ...pictures],
    entry: { type: "user_message", messageId, text, attachments, at },
  };
}
