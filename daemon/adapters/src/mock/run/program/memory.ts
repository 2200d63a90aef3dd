import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a conversation remembers over its lives: every prompt, in a file of its own. */
export class Memory {
  readonly #file: string;
  readonly prompts: string[];
  /** True when a conversation was to be resumed that nobody knows. */
  readonly lost: boolean;

  constructor(directory: string, conversation: string, resume: boolean) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#file = join(directory, `${encodeURIComponent(conversation)}.jsonl`);
    const known = existsSync(this.#file);
    this.lost = resume && !known;
    if (!known) writeFileSync(this.#file, "", { mode: 0o600 });
    const lines = readFileSync(this.#file, "utf8").split("\n").filter(Boolean);
    this.prompts = lines.map((line) => JSON.parse(line) as string);
  }

  remember(prompt: string): void {
    this.prompts.push(prompt);
    appendFileSync(this.#file, `${JSON.stringify(prompt)}\n`);
  }
}
