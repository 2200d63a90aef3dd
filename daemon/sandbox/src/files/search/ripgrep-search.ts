import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { isRecord, parseJson } from "@muster/core";
import { LineSplitter } from "@muster/node";
import { Failure } from "@muster/schema/wire";
import { shownLine } from "./find-text.ts";
import type { SearchedFile, TakeMatch } from "./search-files.ts";

/** So many files are open and searched at once. */
const mostAtOnce = 64;

/** Searches with ripgrep, which is given open files and no paths: a link that is swapped leads it nowhere. */
export class RipgrepSearch {
  readonly #command: string;
  readonly #pattern: string;
  readonly #take: TakeMatch;
  #files: SearchedFile[] = [];

  private constructor(command: string, pattern: string, take: TakeMatch) {
    this.#command = command;
    this.#pattern = pattern;
    this.#take = take;
  }

  /** Throws where there is no ripgrep, or where the pattern is none. */
  static async start(pattern: string, take: TakeMatch): Promise<RipgrepSearch> {
    const command = await findRipgrep();
    if (command === undefined) {
      throw new Failure("files_unavailable", "A regular expression needs ripgrep (rg) on the PATH of the daemon");
    }
    const search = new RipgrepSearch(command, pattern, take);
    await search.#run(["/dev/null"], new Map());
    return search;
  }

  async add(file: SearchedFile): Promise<void> {
    this.#files.push(file);
    if (this.#files.length >= mostAtOnce) await this.end();
  }

  /** Searches what was added since the last time, and closes it. */
  async end(): Promise<void> {
    const files = this.#files;
    this.#files = [];
    if (files.length === 0) return;
    try {
      const byPath = new Map(files.map(({ path, file }) => [`/proc/${process.pid}/fd/${file.fd}`, path]));
      await this.#run([...byPath.keys()], byPath);
    } finally {
      await closeAll(files);
    }
  }

  /** Closes what was not searched. */
  async close(): Promise<void> {
    await closeAll(this.#files.splice(0));
  }

  /** Resolves when it has ended, or when there are enough matches. */
  #run(paths: readonly string[], names: ReadonlyMap<string, string>): Promise<void> {
    const args = [
      "--json",
      "--no-config",
      "--no-messages",
      "--threads",
      "1",
      "--regexp",
      this.#pattern,
      "--",
      ...paths,
    ];
    const child = spawn(this.#command, args, { stdio: ["ignore", "pipe", "pipe"], env: {} });
    let problem = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      problem = (problem + text).slice(0, 1000);
    });
    const lines = new LineSplitter({ invalid: "replaced" });
    child.stdout.on("data", (chunk: Buffer) => {
      for (const line of lines.push(chunk)) {
        if (typeof line === "string" && !this.#read(line, names)) child.kill("SIGKILL");
      }
    });
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        if (code === 2 && problem !== "") reject(new Failure("invalid_request", `ripgrep: ${problem.trim()}`));
        else if (code === 0 || code === 1 || signal === "SIGKILL") resolve();
        else reject(new Error(`ripgrep ended with ${code ?? signal}: ${problem}`));
      });
    });
  }

  #read(text: string, names: ReadonlyMap<string, string>): boolean {
    const message = parseJson(text);
    if (!isRecord(message) || message.type !== "match" || !isRecord(message.data)) return true;
    const { path, lines, line_number: line, submatches } = message.data;
    const [first] = Array.isArray(submatches) ? submatches : [];
    const name = names.get(textOf(path).toString("utf8"));
    if (name === undefined || typeof line !== "number") return true;
    const column = (isRecord(first) && typeof first.start === "number" ? first.start : 0) + 1;
    const shown = shownLine(Buffer.from(textOf(lines).toString("latin1").replace(/\n$/, ""), "latin1"));
    return this.#take({ path: name, line, column, text: shown });
  }
}

async function closeAll(files: readonly SearchedFile[]): Promise<void> {
  await Promise.all(files.map(({ file }) => file.close()));
}

/** ripgrep tells what is no UTF-8 in base64. */
function textOf(value: unknown): Buffer {
  if (!isRecord(value)) return Buffer.alloc(0);
  return typeof value.text === "string" ? Buffer.from(value.text) : Buffer.from(String(value.bytes ?? ""), "base64");
}

async function findRipgrep(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter((one) => one.startsWith("/"))) {
    const path = join(folder, "rg");
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
