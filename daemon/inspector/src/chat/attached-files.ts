import { safePicture } from "@muster/web-parts/model";

export interface AttachedFile {
  filename: string;
  mime: string;
  size: number;
  /** base64 */
  data: string;
  preview?: string;
}

/** The daemon takes bodies up to 32 MB; base64 makes a third more of it. */
const largest = 20_000_000;

/** Reads files that were dropped, pasted or chosen. */
export function attachedFiles(files: Iterable<File>): Promise<AttachedFile[]> {
  return Promise.all([...files].map(readFile));
}

async function readFile(file: File): Promise<AttachedFile> {
  if (file.size > largest) throw new Error(`${file.name} is too large to attach (20 MB at most)`);
  const data = base64(new Uint8Array(await file.arrayBuffer()));
  const mime = file.type || "application/octet-stream";
  return { filename: file.name || "pasted", mime, size: file.size, data, preview: safePicture(mime, data) };
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}
