import { HarnessCapabilityUnsupportedError, type HarnessV1Prompt } from "@ai-sdk/harness";
import type { Attachment } from "@muster/client";

type Content = Exclude<Exclude<HarnessV1Prompt, string>["content"], string>[number];
type FileContent = Exclude<Content, { type: "text" }>;

/** What a person wrote and attached. Files travel in the message: what lies elsewhere is not fetched. */
export function readPrompt(
  prompt: HarnessV1Prompt,
  harnessId: string,
): { message: string; attachments?: Attachment[] } {
  const content = typeof prompt === "string" ? prompt : prompt.content;
  if (typeof content === "string") return { message: content };
  const message = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const files = content.filter((part): part is FileContent => part.type !== "text");
  if (files.length === 0) return { message };
  return { message, attachments: files.map((part) => attachmentOf(part, harnessId)) };
}

function attachmentOf(part: FileContent, harnessId: string): Attachment {
  const data = base64Of(part.type === "image" ? part.image : part.data);
  if (data === undefined) {
    const message = "A file must come with the message: as bytes, base64, text, or a data: URL";
    throw new HarnessCapabilityUnsupportedError({ message, harnessId });
  }
  const mime = part.mediaType ?? "image/png";
  const filename = "filename" in part ? part.filename : undefined;
  return { data, mime, ...(filename !== undefined && { filename }) };
}

function base64Of(content: unknown): string | undefined {
  if (typeof content === "string") return /^data:[^,]*;base64,(.*)$/s.exec(content)?.[1] ?? plainBase64(content);
  if (content instanceof URL) return base64Of(content.href);
  if (content instanceof ArrayBuffer) return Buffer.from(content).toString("base64");
  if (ArrayBuffer.isView(content)) {
    return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64");
  }
  const tagged = Object(content) as Record<string, unknown>;
  if (tagged.type === "text") return Buffer.from(String(tagged.text)).toString("base64");
  return tagged.type === "data" || tagged.type === "url" ? base64Of(tagged.data ?? tagged.url) : undefined;
}

function plainBase64(text: string): string | undefined {
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? text : undefined;
}
