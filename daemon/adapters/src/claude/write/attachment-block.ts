import { AttachmentInfo } from "@muster/schema";

const mark = "Attached file ";

/** A file that belongs to a message, by its name; what is in it is put here when the line is written. */
export function attachmentBlock({ path, mime, filename }: AttachmentInfo): { type: "text"; text: string } {
  return { type: "text", text: mark + JSON.stringify({ path, mime, filename }) };
}

/** The file of such a block; undefined for every other one. */
export function attachmentIn(block: { type: string; [field: string]: unknown }): AttachmentInfo | undefined {
  const { type, text } = block;
  if (type !== "text" || typeof text !== "string" || !text.startsWith(`${mark}{`)) return undefined;
  try {
    return AttachmentInfo.safeParse(JSON.parse(text.slice(mark.length))).data;
  } catch {
    // Somebody's words that begin like it.
    return undefined;
  }
}
