import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { CodebuffNative, ContentPart, HeardLine } from "../wire/native.ts";

const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Providers take pictures up to 5 MB, in base64. */
const largestImage = 3_750_000;

/** Pictures become part of the message; of other files Codebuff is told where they are, and reads them itself. */
export async function withAttachments(line: CodebuffNative): Promise<CodebuffNative> {
  if (!isMessage(line) || line.content === undefined) return line;
  return { ...line, content: await Promise.all(line.content.map(filled)) };
}

type Message = Extract<HeardLine, { type: "user_message" }>;
const isMessage = (line: CodebuffNative): line is Message => line.type === "user_message";

async function filled(part: ContentPart): Promise<ContentPart> {
  if (part.type !== "attachment") return part;
  const { path, mime, filename = basename(path) } = part;
  const mention = `Attached file ${filename} (${mime}): ${path}`;
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  );
  if (size === undefined) return { type: "text", text: `${mention} (it is no longer there)` };
  if (!images.has(mime) || size > largestImage) return { type: "text", text: mention };
  return { type: "image", image: (await readFile(path)).toString("base64"), mediaType: mime };
}
