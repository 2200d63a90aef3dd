import type { ContentBlock } from "@agentclientprotocol/sdk";
import { type Attachment, Failure, type SendMessage } from "@muster/schema";

/** What an editor sends as a prompt, as a message of ours: files it names or encloses are part of the text. */
export function readPrompt(prompt: unknown): Pick<SendMessage, "message" | "attachments"> {
  const blocks = Array.isArray(prompt) ? (prompt as ContentBlock[]) : [];
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        texts.push(block.text);
        break;
      case "resource_link":
        texts.push(`@${placeOf(block.uri)}`);
        break;
      case "resource":
        if ("text" in block.resource) {
          texts.push(`<file path="${placeOf(block.resource.uri)}">\n${block.resource.text}\n</file>`);
        } else
          attachments.push({ data: block.resource.blob, mime: block.resource.mimeType ?? "application/octet-stream" });
        break;
      case "image":
        attachments.push({ data: block.data, mime: block.mimeType });
        break;
      case "audio":
        throw new Failure("invalid_request", "Audio cannot be sent to an agent");
    }
  }
  const message = texts.join("\n").trim();
  if (message === "" && attachments.length === 0) throw new Failure("invalid_request", "The prompt is empty");
  return { message: message === "" ? "See the attachment." : message, attachments };
}

function placeOf(uri: string): string {
  return uri.startsWith("file://") ? decodeURIComponent(new URL(uri).pathname) : uri;
}
