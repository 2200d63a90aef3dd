import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { AttachmentInfo } from "@muster/schema";
import type { ClaudeNative, PromptLine } from "../wire/native.ts";

const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** The API takes pictures up to 5 MB, in base64. */
const largestImage = 3_750_000;
const largestDocument = 20_000_000;
const largestText = 256 * 1024;

/** Puts the content of attached files into a message. */
export async function withContent(line: ClaudeNative): Promise<ClaudeNative> {
  if (!isPrompt(line) || typeof line.message.content === "string") return line;
  const content = await Promise.all(
    line.message.content.map((block) => (isAttachment(block) ? blockOf(block) : block)),
  );
  return { ...line, message: { ...line.message, content } };
}

/** Of the lines we write only a prompt has this type. */
const isPrompt = (line: ClaudeNative): line is PromptLine => line.type === "user";

type Block = Exclude<PromptLine["message"]["content"], string>[number];
const isAttachment = (block: Block): block is Extract<Block, AttachmentInfo> => block.type === "attachment";

/** Pictures, PDFs and short texts are part of the message; of other files Claude is told where they are. */
async function blockOf({ path, mime, filename }: AttachmentInfo): Promise<{ type: string; [field: string]: unknown }> {
  const name = filename ?? basename(path);
  const mention = { type: "text", text: `Attached file ${name} (${mime}): ${path}` };
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  );
  if (size === undefined) return { ...mention, text: `${mention.text} (it is no longer there)` };
  const base64 = async () => ({ type: "base64", media_type: mime, data: (await readFile(path)).toString("base64") });
  if (images.has(mime) && size <= largestImage) return { type: "image", source: await base64() };
  if (mime === "application/pdf" && size <= largestDocument) {
    return { type: "document", source: await base64(), title: name };
  }
  if ((mime.startsWith("text/") || mime === "application/json") && size <= largestText) {
    const text = await readFile(path, "utf8");
    return { type: "text", text: `Attached file ${name} (${mime}):\n${text}` };
  }
  return mention;
}
