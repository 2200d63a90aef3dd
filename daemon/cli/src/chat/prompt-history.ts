import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseJson, redactShapes } from "@muster/core";

const most = 500;

/** What was written in chats before, the oldest first, over all runs: in the data directory, for its user only. */
export class PromptHistory {
  readonly #path: string;

  constructor(dataDirectory: string) {
    this.#path = join(dataDirectory, "chat-history.jsonl");
  }

  /** A file that cannot be read, and a line that a crash cut, are as if they were not there. */
  async read(): Promise<string[]> {
    const text = await readFile(this.#path, "utf8").catch(() => "");
    const lines = text.split("\n").filter((line) => line !== "");
    const kept = lines.slice(-most);
    if (lines.length > 2 * most) await writeFile(this.#path, `${kept.join("\n")}\n`, { mode: 0o600 });
    return kept.flatMap((line) => {
      const value = parseJson(line);
      return typeof value === "string" ? [value] : [];
    });
  }

  /** Keys that were pasted are not kept. A disk that takes nothing costs the history, not the chat. */
  async add(text: string): Promise<void> {
    const line = `${JSON.stringify(redactShapes(text))}\n`;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
      .then(() => appendFile(this.#path, line, { mode: 0o600 }))
      .catch(() => undefined);
  }
}
