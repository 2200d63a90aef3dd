import { open, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { fileMarkers, type LineRange, type MediaPart, type ReadFile, type ToolInput } from "@muster/codebuff-protocol";
import type { FileAccess } from "./access/file-access.ts";
import { isMissing, type Location } from "./access/project.ts";
import { decode } from "./access/text-file.ts";
import { toLf } from "./text/line-endings.ts";

const MEBIBYTE = 1024 * 1024;
const largestText = MEBIBYTE;
/** Ranges may be asked of files too large to read whole. */
const largestRanged = 64 * MEBIBYTE;
const largestImage = 5 * MEBIBYTE;

const imageTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

export interface ReadFilesPorts {
  readonly access: FileAccess;
  /** Who uses the symbols of this file: symbol → files. */
  readonly referencedBy: (path: string) => Promise<Record<string, string[]>>;
}

export interface FilesRead {
  readonly files: ReadFile[];
  readonly images: MediaPart[];
}

/** Every path gets an answer: its content, or a marker that says why not. Duplicates are read once. */
export async function readFiles(input: ToolInput<"read_files">, ports: ReadFilesPorts): Promise<FilesRead> {
  const ranges = input.ranges ?? [];
  const ranged = new Set(ranges.map((range) => range.path));
  const whole = [...new Set(input.paths)].filter((one) => !ranged.has(one));
  const read = await Promise.all([
    ...whole.map((one) => readOne(one, undefined, ports)),
    ...ranges.map((range) => readOne(range.path, range, ports)),
  ]);
  return { files: read.map((one) => one.file), images: read.flatMap((one) => (one.image ? [one.image] : [])) };
}

interface One {
  readonly file: ReadFile;
  readonly image?: MediaPart;
}

async function readOne(given: string, range: LineRange | undefined, ports: ReadFilesPorts): Promise<One> {
  const marked = (name: string, content: string): One => ({ file: { path: name, content, referencedBy: {} } });
  const opened = await ports.access.open("read_files", given, "read");
  if (!opened.ok) return marked(given, opened.marker);
  const name = opened.location.path;
  try {
    const info = await stat(opened.location.real);
    if (!info.isFile())
      return marked(name, `${fileMarkers.unreadable} ${info.isDirectory() ? "a directory" : "not a regular file"}`);
    const mediaType = imageTypes[path.extname(name).toLowerCase()];
    const limit = mediaType !== undefined ? largestImage : range !== undefined ? largestRanged : largestText;
    if (info.size > limit) return marked(name, `${fileMarkers.tooLarge} [${(info.size / MEBIBYTE).toFixed(2)}MB]`);
    if (mediaType !== undefined) return await readImage(opened.location, mediaType);
    const decoded = decode(await readFile(opened.location.real));
    if (decoded === undefined) return marked(name, `${fileMarkers.unreadable} not UTF-8 text`);
    const text = opened.isTemplate ? `${fileMarkers.template}\n${decoded.text}` : decoded.text;
    if (range !== undefined) return { file: cut(name, text, range) };
    return { file: { path: name, content: text, referencedBy: await ports.referencedBy(name) } };
  } catch (error) {
    return marked(name, isMissing(error) ? fileMarkers.missing : fileMarkers.unreadable);
  }
}

async function readImage(location: Location, mediaType: string): Promise<One> {
  const handle = await open(location.real);
  try {
    const bytes = await handle.readFile();
    const file = {
      path: location.path,
      content: `${fileMarkers.image} ${mediaType}, ${bytes.length} bytes`,
      referencedBy: {},
    };
    return { file, image: { type: "media", data: bytes.toString("base64"), mediaType } };
  } finally {
    await handle.close();
  }
}

function cut(name: string, text: string, range: LineRange): ReadFile {
  const lines = toLf(text).replace(/\n$/, "").split("\n");
  const endLine = Math.min(range.endLine ?? lines.length, lines.length);
  const content = lines.slice(range.startLine - 1, endLine).join("\n");
  return {
    path: name,
    content: content === "" ? "" : `${content}\n`,
    referencedBy: {},
    range: { startLine: range.startLine, endLine, totalLines: lines.length },
  };
}
