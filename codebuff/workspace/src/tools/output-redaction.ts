import path from "node:path";
import type { ToolOutput } from "@muster/codebuff-protocol";
import { redactKnown, redactValues } from "@muster/core";
import { readRegular } from "@muster/node";
import { secretValues } from "@muster/terminal";
import { listSecretFiles } from "../search/secret-files.ts";

/** How long the secrets of the project's own files are taken to be the same. */
const freshMs = 5_000;
const longestFile = 256 * 1024;

/**
 * Takes secrets out of what tools print before a model sees it: values by their form, those of our own environment, and those
 * in the project's `.env` files. What files say is shown as it is: an edit has to fit it, and secret files are not read.
 */
export class OutputRedaction {
  readonly #root: string;
  readonly #own: readonly string[];
  #known: (text: string) => string;
  #reading: { readonly at: number; readonly done: Promise<void> } | undefined;

  constructor(root: string, environment: NodeJS.ProcessEnv = process.env) {
    this.#root = root;
    this.#own = secretValues(environment);
    this.#known = redactKnown(this.#own);
  }

  applies(tool: string, isCustom: boolean): boolean {
    return isCustom || printing.has(tool);
  }

  async output(output: ToolOutput): Promise<ToolOutput> {
    await this.#refresh();
    return this.#value(output) as ToolOutput;
  }

  text(text: string): string {
    return redactValues(this.#known(text));
  }

  #value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.#value(one));
    if (typeof value !== "object" || value === null) return value;
    // A picture has no words, and its bytes may look like anything.
    if ("type" in value && value.type === "media") return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#value(one)]));
  }

  async #refresh(): Promise<void> {
    if (this.#reading === undefined || Date.now() - this.#reading.at > freshMs) {
      const done = this.#readFiles().catch(() => undefined);
      this.#reading = { at: Date.now(), done };
    }
    await this.#reading.done;
  }

  async #readFiles(): Promise<void> {
    const files = (await listSecretFiles(this.#root)).filter((file) => path.basename(file).startsWith(".env"));
    const texts = await Promise.all(
      files.map((file) => readRegular(path.join(this.#root, file)).catch(() => undefined)),
    );
    const values = texts.flatMap((bytes) =>
      bytes === undefined || bytes.length > longestFile ? [] : secretValues(assignmentsIn(bytes.toString("utf8"))),
    );
    this.#known = redactKnown([...this.#own, ...values]);
  }
}

/** Tools that print what others wrote. */
const printing = new Set(["run_terminal_command", "read_screen", "code_search", "run_file_change_hooks", "read_url"]);

function assignmentsIn(text: string): Record<string, string> {
  const found = text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#]*))/gm);
  return Object.fromEntries(
    [...found].map(([, name = "", double, single, plain]) => [name, double ?? single ?? plain ?? ""]),
  );
}
