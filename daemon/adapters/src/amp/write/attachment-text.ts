import { parseJson } from "@muster/core";
import { AttachmentInfo } from "@muster/schema";

const mark = "Attached file ";

/** Amp takes words only: it is told where a file is and what it is, and reads it itself. */
export function attachmentText({ path, mime, filename }: AttachmentInfo): string {
  return mark + JSON.stringify({ path, mime, filename });
}

/** The way back; undefined for everything else. */
export function attachmentIn(text: string): AttachmentInfo | undefined {
  if (!text.startsWith(`${mark}{`)) return undefined;
  // Somebody's words may begin like it.
  return AttachmentInfo.safeParse(parseJson(text.slice(mark.length))).data;
}
