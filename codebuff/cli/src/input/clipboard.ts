import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { promisify } from "node:util";
import type { ChatFace } from "../chat/chat-face.ts";
import type { ImageAttachment } from "../run/prepare-user-message.ts";
import type { PromptEditor } from "./prompt-editor.ts";

const run = promisify(execFile);
const largestBytes = 1024 * 1024;
const largestFileBytes = 10 * 1024 * 1024;

const mediaTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

/** Programs that give the picture in the clipboard as PNG. */
const imageReaders = [
  ["wl-paste", ["--type", "image/png", "--no-newline"]],
  ["xclip", ["-selection", "clipboard", "-t", "image/png", "-o"]],
  ["pngpaste", ["-"]],
] as const;
const textReaders = [
  ["wl-paste", ["--no-newline"]],
  ["xclip", ["-selection", "clipboard", "-o"]],
  ["pbpaste", []],
] as const;

/** Ctrl-V: a picture when there is one in the clipboard, else its text. */
export async function pasteClipboard(screen: {
  chat: ChatFace;
  editor: Pick<PromptEditor, "insert">;
  paint(): void;
}): Promise<void> {
  const { chat, editor } = screen;
  const image = await readClipboard(imageReaders);
  if (image !== undefined && image.length > 0)
    chat.say(await attachImage(chat, { name: "pasted image", bytes: image, mediaType: "image/png" }));
  else {
    const text = await readClipboard(textReaders);
    if (text === undefined)
      chat.say(
        "The clipboard cannot be read: install wl-clipboard, xclip or pngpaste. Your terminal's own paste works.",
        "warning",
      );
    else if (!chat.attachments.takePaste(text.toString("utf8"))) editor.insert(text.toString("utf8"));
  }
  screen.paint();
}

/** Attaches a picture by its path and says what came of it. */
export async function attachImageFile(chat: ChatFace, file: string): Promise<string> {
  const path = resolve(chat.options.cwd, file.replace(/^['"]|['"]$/g, "").replaceAll("\\ ", " "));
  const mediaType = mediaTypes[extname(path).toLowerCase()];
  if (mediaType === undefined) return `${file} is no picture I know: ${Object.keys(mediaTypes).join(", ")}`;
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return `There is no file ${path}`;
  if (found.size > largestFileBytes) return `${file} has ${megabytes(found.size)}; 10 MB is the most.`;
  return attachImage(chat, { name: basename(path), bytes: await readFile(path), mediaType, path });
}

/** The path of a picture that was pasted or dropped, and nothing else. */
export function droppedImage(text: string): string | undefined {
  const path = text.trim().replace(/^file:\/\//, "");
  return !path.includes("\n") &&
    mediaTypes[extname(path.replace(/['"]$/, "")).toLowerCase()] !== undefined &&
    /^['"]?[/~.]/.test(path)
    ? path
    : undefined;
}

async function attachImage(
  { attachments }: ChatFace,
  image: { name: string; bytes: Buffer; mediaType: string; path?: string },
): Promise<string> {
  const { name, bytes, mediaType } = image;
  if (bytes.length <= largestBytes) {
    attachments.addImage(attachmentOf(name, bytes, mediaType));
    return `${name} goes with the next prompt (${megabytes(bytes.length)}).`;
  }
  const small = await shrink(bytes);
  if (small === undefined) {
    return `${name} has ${megabytes(bytes.length)}; 1 MB is the most, and neither magick nor sips is there to shrink it.`;
  }
  attachments.addImage(attachmentOf(name, small, "image/jpeg"));
  return `${name} goes with the next prompt, shrunk from ${megabytes(bytes.length)} to ${megabytes(small.length)}.`;
}

function attachmentOf(name: string, bytes: Buffer, mediaType: string): ImageAttachment {
  return { name, image: bytes.toString("base64"), mediaType };
}

/** Undefined where no program can do it. */
async function shrink(bytes: Buffer): Promise<Buffer | undefined> {
  for (const size of ["1600x1600>", "1000x1000>", "600x600>"]) {
    const small = await pipe("magick", ["-", "-resize", size, "-quality", "80", "jpeg:-"], bytes);
    if (small === undefined) return undefined;
    if (small.length > 0 && small.length <= largestBytes) return small;
  }
  return undefined;
}

async function pipe(program: string, args: readonly string[], input: Buffer): Promise<Buffer | undefined> {
  try {
    const running = run(program, [...args], { encoding: "buffer", maxBuffer: 64 * 1024 * 1024, timeout: 30_000 });
    running.child.stdin?.end(input);
    return (await running).stdout;
  } catch {
    // Not installed, or it cannot read the picture.
    return undefined;
  }
}

async function readClipboard(readers: readonly (readonly [string, readonly string[]])[]): Promise<Buffer | undefined> {
  for (const [program, args] of readers) {
    try {
      const { stdout } = await run(program, [...args], {
        encoding: "buffer",
        maxBuffer: 64 * 1024 * 1024,
        timeout: 5_000,
      });
      return stdout;
    } catch {
      // Not installed, or the clipboard holds something else: the next one is tried.
    }
  }
  return undefined;
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
