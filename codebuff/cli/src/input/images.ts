import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Chat } from "../chat/chat.ts";

const run = promisify(execFile);
const largestBytes = 1024 * 1024;
const largestFileBytes = 10 * 1024 * 1024;
/** With one prompt. */
const largestTotalBytes = 5 * 1024 * 1024;

const mediaTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

export interface Picture {
  readonly name: string;
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** Attaches a picture by its path and says what came of it. */
export async function attachImageFile(chat: Chat, file: string): Promise<string> {
  const path = resolve(chat.options.cwd, pathOf(file, chat.io.home));
  const mediaType = mediaTypes[extname(path).toLowerCase()];
  if (mediaType === undefined) return `${file} is no picture I know: ${Object.keys(mediaTypes).join(", ")}`;
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return `There is no file ${path}`;
  if (found.size > largestFileBytes) return `${file} has ${megabytes(found.size)}; 10 MB is the most.`;
  return attachImage(chat, { name: basename(path), bytes: await readFile(path), mediaType });
}

/** The path of a picture that was pasted or dropped and is there; any other text is only text. */
export function droppedImage(text: string, { options, io }: Chat): string | undefined {
  const typed = text.trim();
  if (typed.includes("\n") || typed.length > 4096 || !/^(?:file:\/\/|['"]?[/~.])/.test(typed)) return undefined;
  const path = resolve(options.cwd, pathOf(typed, io.home));
  return mediaTypes[extname(path).toLowerCase()] !== undefined && existsSync(path) ? typed : undefined;
}

/** Attaches a picture, smaller where it has to be, and says so. */
export async function attachImage({ attachments, io }: Chat, picture: Picture): Promise<string> {
  const { name, bytes } = picture;
  const small =
    bytes.length <= largestBytes
      ? picture
      : { ...picture, bytes: await shrink(bytes, { ...io.env }), mediaType: "image/jpeg" };
  if (small.bytes === undefined)
    return `${name} has ${megabytes(bytes.length)}; 1 MB is the most, and neither magick nor sips is there to shrink it.`;
  if (attachments.imageBytes + small.bytes.length > largestTotalBytes)
    return `${name} is left out: with it the pictures of this prompt have more than 5 MB.`;
  attachments.addImage({ name, image: small.bytes.toString("base64"), mediaType: small.mediaType });
  const size = megabytes(small.bytes.length);
  return bytes === small.bytes
    ? `${name} goes with the next prompt (${size}).`
    : `${name} goes with the next prompt, shrunk from ${megabytes(bytes.length)} to ${size}.`;
}

/** A path as a terminal drops it: quoted, with escaped blanks, as an address, below the home directory. */
function pathOf(dropped: string, home: string): string {
  const bare = dropped.trim().replace(/^(['"])(.*)\1$/, "$2");
  if (bare.startsWith("file://")) return URL.canParse(bare) ? fileURLToPath(bare) : bare;
  return bare.replaceAll(/\\(.)/g, "$1").replace(/^~(?=\/)/, home);
}

const sizes = [1600, 1000, 600];

/** As JPEG of at most 1 MB; undefined where no program can do it. */
async function shrink(bytes: Buffer, env: NodeJS.ProcessEnv): Promise<Buffer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "codebuff-image-"));
  const [from, to] = [join(folder, "from"), join(folder, "to.jpg")];
  try {
    await writeFile(from, bytes, { mode: 0o600 });
    for (const size of sizes) {
      const small = await resize(size, from, to, env);
      if (small === undefined) return undefined;
      if (small.length <= largestBytes) return small;
    }
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function resize(size: number, from: string, to: string, env: NodeJS.ProcessEnv): Promise<Buffer | undefined> {
  const programs = [
    ["magick", [from, "-resize", `${size}x${size}>`, "-quality", "80", `jpeg:${to}`]],
    ["sips", ["-Z", String(size), "-s", "format", "jpeg", from, "--out", to]],
  ] as const;
  for (const [program, args] of programs) {
    try {
      await run(program, [...args], { timeout: 30_000, env });
      return await readFile(to);
    } catch {
      // Not installed, or it cannot read the picture: the next one is tried.
    }
  }
  return undefined;
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
