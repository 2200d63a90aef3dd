import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { messageOf } from "@muster/core";
import type { Attachment } from "@muster/schema";
import { UsageError } from "../environment/exit.ts";

/** Where names of files are looked up, and whether the daemon sees the same files. */
export interface FilePlace {
  directory: string;
  isLocal: boolean;
}

/** A file for a message: by its path where the daemon is on this machine, otherwise its content. */
export async function attachmentOf(path: string, { directory, isLocal }: FilePlace): Promise<Attachment> {
  const full = resolve(directory, path);
  const found = await stat(full).catch((error: unknown) => {
    throw new UsageError(`cannot attach ${path}: ${messageOf(error)}`);
  });
  if (!found.isFile()) throw new UsageError(`cannot attach ${path}: it is no file`);
  const about = { mime: await mimeOf(full), filename: basename(full) };
  return isLocal ? { path: full, ...about } : { data: (await readFile(full)).toString("base64"), ...about };
}

/** The files that a text names as `@path`, at most once each; an `@` that names none is only a letter. */
export async function namedFiles(text: string, { directory }: FilePlace): Promise<string[]> {
  const names = new Set(
    Array.from(text.matchAll(/(?:^|\s)@(\S+)/g), ([, name = ""]) => name.replace(/[,.;:!?)]+$/, "")),
  );
  const found = await Promise.all(
    [...names].map((name) =>
      stat(resolve(directory, name)).then(
        (one) => (one.isFile() ? [name] : []),
        () => [],
      ),
    ),
  );
  return found.flat();
}

const mostNames = 40;

/** Paths that begin like this, directories with a slash at their end; hidden ones only where a dot was typed. */
export async function pathsLike(typed: string, directory: string): Promise<string[]> {
  const folder = typed.endsWith("/") ? typed : typed.includes("/") ? `${dirname(typed)}/` : "";
  const start = typed.slice(folder.length);
  // A folder that is not there has nothing to offer.
  const entries = await readdir(resolve(directory, folder), { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(start) && (start.startsWith(".") || !name.startsWith(".")))
    .map((entry) => join(folder, entry.name) + (entry.isDirectory() ? "/" : ""))
    .sort()
    .slice(0, mostNames);
}

const mimes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
  ".pdf": "application/pdf",
  ".json": "application/json",
  ".md": "text/markdown",
  ".html": "text/html",
  ".csv": "text/csv",
};
const lookedAt = 8_192;

/** By its name, or else by whether it begins with text. */
async function mimeOf(path: string): Promise<string> {
  const known = mimes[extname(path).toLowerCase()];
  if (known !== undefined) return known;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(lookedAt), 0, lookedAt, 0);
    return buffer.subarray(0, bytesRead).includes(0) ? "application/octet-stream" : "text/plain";
  } finally {
    await file.close();
  }
}
