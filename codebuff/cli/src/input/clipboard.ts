import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Chat } from "../chat/chat.ts";
import { attachImage } from "./images.ts";
import type { PromptEditor } from "./prompt-editor.ts";

const run = promisify(execFile);

type Program = readonly [name: string, args: readonly string[]];

/** Programs that give the picture in the clipboard as PNG. */
const imageReaders: readonly Program[] = [
  ["wl-paste", ["--type", "image/png", "--no-newline"]],
  ["xclip", ["-selection", "clipboard", "-t", "image/png", "-o"]],
  ["pngpaste", ["-"]],
];
const textReaders: readonly Program[] = [
  ["wl-paste", ["--no-newline"]],
  ["xclip", ["-selection", "clipboard", "-o"]],
  ["pbpaste", []],
];
const textWriters: readonly Program[] = [
  ["wl-copy", []],
  ["xclip", ["-selection", "clipboard", "-i"]],
  ["pbcopy", []],
];

/** Ctrl-V: a picture when there is one in the clipboard, else its text. */
export async function pasteClipboard(screen: {
  chat: Chat;
  editor: Pick<PromptEditor, "insert">;
  paint(): void;
}): Promise<void> {
  const { chat, editor } = screen;
  const image = await readFirst(imageReaders, chat.io.env);
  if (image !== undefined && image.length > 0)
    chat.say(await attachImage(chat, { name: "pasted image", bytes: image, mediaType: "image/png" }));
  else {
    const text = (await readFirst(textReaders, chat.io.env))?.toString("utf8");
    if (text === undefined)
      chat.say(
        "The clipboard cannot be read: install wl-clipboard, xclip or pngpaste. Your terminal's own paste works.",
        "warning",
      );
    else if (!chat.attachments.takePaste(text)) editor.insert(text);
  }
  screen.paint();
}

/** Into the clipboard of this machine where a program can do that; the terminal is asked by its own sequence besides. */
export async function writeClipboard(text: string, env: Chat["io"]["env"]): Promise<void> {
  for (const [program, args] of textWriters) {
    try {
      const running = run(program, [...args], { timeout: 5_000, env: { ...env } });
      running.child.stdin?.end(text);
      await running;
      return;
    } catch {
      // Not installed, or there is no display: the next one is tried.
    }
  }
}

async function readFirst(readers: readonly Program[], env: Chat["io"]["env"]): Promise<Buffer | undefined> {
  for (const [program, args] of readers) {
    try {
      const options = { encoding: "buffer", maxBuffer: 64 * 1024 * 1024, timeout: 5_000, env: { ...env } } as const;
      return (await run(program, [...args], options)).stdout;
    } catch {
      // Not installed, or the clipboard holds something else: the next one is tried.
    }
  }
  return undefined;
}
