import { createHash } from "node:crypto";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Message } from "@muster/codebuff-protocol";

/** Shorter data stays in the line. */
const inlineLimit = 2_000;
const mark = "sha256:";

type Change = (data: string) => Promise<string>;

/** Long base64 goes to a file of its own, once per content; the line keeps its hash. */
export function detachBytes(messages: readonly Message[], folder: string): Promise<Message[]> {
  return Promise.all(messages.map((message) => changeBytes(message, (data) => store(data, folder))));
}

/** The other way round. Bytes that are gone become an empty picture, not a broken session. */
export function attachBytes(messages: readonly Message[], folder: string): Promise<Message[]> {
  return Promise.all(messages.map((message) => changeBytes(message, (data) => load(data, folder))));
}

async function changeBytes(message: Message, change: Change): Promise<Message> {
  if (message.role === "user") {
    const content = message.content.map(async (part) => {
      if (part.type === "image") return { ...part, image: await change(part.image) };
      return part.type === "file" ? { ...part, data: await change(part.data) } : part;
    });
    return { ...message, content: await Promise.all(content) };
  }
  if (message.role === "tool") {
    const content = message.content.map(async (part) =>
      part.type === "media" ? { ...part, data: await change(part.data) } : part,
    );
    return { ...message, content: await Promise.all(content) };
  }
  return message;
}

async function store(data: string, folder: string): Promise<string> {
  if (data.length <= inlineLimit || data.startsWith(mark)) return data;
  const bytes = Buffer.from(data, "base64");
  const hash = createHash("sha256").update(bytes).digest("hex");
  const file = join(folder, hash);
  const known = await stat(file).catch(() => undefined);
  if (known?.size !== bytes.length) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, bytes, { mode: 0o600 });
  }
  return mark + hash;
}

async function load(data: string, folder: string): Promise<string> {
  const hash = data.startsWith(mark) ? data.slice(mark.length) : "";
  if (!/^[0-9a-f]{64}$/.test(hash)) return data;
  const bytes = await readFile(join(folder, hash)).catch(() => Buffer.alloc(0));
  return bytes.toString("base64");
}
