import { existsSync } from "node:fs";
import path from "node:path";
import type { CodeSearchResult, ToolError, ToolInput } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import { z } from "zod";
import { secretGlobs } from "../files/access/secrets.ts";
import type { SearchPorts } from "./glob.ts";
import { hiddenGlobs, IgnoreRules, ignoreFlags } from "./ignore-rules.ts";
import { type RipgrepEnd, runRipgrep } from "./ripgrep.ts";
import { readSearchFlags, type SearchFlags } from "./search-flags.ts";

const mostHits = 250;
const mostCharacters = 20_000;
const longestLine = 500;
const timeoutMs = 10_000;
/** Directories with a dot that people write by hand. */
const dotDirectories = [".agents", ".claude", ".github", ".gitlab", ".circleci", ".husky"];

/** Hits grouped by file: its name with a colon, then numbered lines. */
export async function codeSearch(
  input: ToolInput<"code_search">,
  { project, access }: SearchPorts,
  signal?: AbortSignal,
): Promise<CodeSearchResult | ToolError> {
  const opened = await access.open("code_search", input.cwd ?? ".", "read");
  if (!opened.ok) return { errorMessage: opened.message };
  let flags: SearchFlags;
  try {
    flags = readSearchFlags(input.flags);
  } catch (error) {
    return { errorMessage: messageOf(error) };
  }
  const cwd = opened.location.real;
  const hits = new Hits(input.maxResults, flags.show);
  const end = await runRipgrep({
    args: searchArgs(input.pattern, flags, cwd),
    cwd,
    timeoutMs,
    onLine: (line) => hits.add(line),
    ...(signal === undefined ? {} : { signal }),
  });
  if (end.exitCode === 2 && hits.isEmpty) return { errorMessage: end.stderr.trim() || "The search failed" };
  const visible = (files: string[]) =>
    (opened.location.inside ? new IgnoreRules(project.root).visible(files) : files).filter((file) =>
      access.shows(file),
    );
  const prefix = opened.location.inside && opened.location.path !== "." ? `${opened.location.path}/` : "";
  const stdout = hits.print(new Set(visible(hits.names.map((name) => prefix + name))), prefix);
  return {
    stdout: stdout.text,
    ...(end.stderr.trim() === "" ? {} : { stderr: end.stderr.trim() }),
    message: [`Exit code: ${stdout.text === "" ? 1 : 0}`, ...notes(end, stdout.isCut, hits.isCut)].join("; "),
  };
}

function searchArgs(pattern: string, flags: SearchFlags, cwd: string): string[] {
  // With --hidden they are found anyway; named as well they would be searched twice.
  const named = flags.args.includes("--hidden") ? [] : dotDirectories;
  const places = [".", ...named.filter((name) => existsSync(path.join(cwd, name)))];
  // Ours come last: of two globs that fit, ripgrep takes the later one.
  const globs = [...hiddenGlobs, ...secretGlobs].flatMap((glob) => ["-g", glob]);
  return ["--json", ...ignoreFlags, ...flags.args, ...globs, "-e", pattern, "--", ...places];
}

function notes(end: RipgrepEnd, isCut: boolean, isCapped: boolean): string[] {
  const said: string[] = [];
  if (end.stopped === "enough") said.push(`stopped after ${mostHits} hits, narrow the search`);
  if (end.stopped === "timeout") said.push(`stopped after ${timeoutMs / 1000} s, there may be more`);
  if (end.stopped === "aborted") said.push("interrupted");
  if (isCapped) said.push("some files have more hits than shown");
  if (isCut) said.push(`cut after ${mostCharacters} characters`);
  return said;
}

/** Text is given as text, or as base64 when it is not UTF-8. */
const Text = z
  .union([z.object({ text: z.string() }), z.object({ bytes: z.string() })])
  .transform((value) => ("text" in value ? value.text : Buffer.from(value.bytes, "base64").toString("latin1")));
const Line = z.object({
  type: z.enum(["match", "context"]),
  data: z.object({
    path: Text,
    lines: Text,
    line_number: z.number().nullable(),
    submatches: z.array(z.object({ match: Text })),
  }),
});

class Hits {
  readonly #files = new Map<string, { lines: string[]; hits: number; full: boolean }>();
  readonly #perFile: number;
  readonly #show: SearchFlags["show"];
  #total = 0;
  isCut = false;

  constructor(perFile: number, show: SearchFlags["show"]) {
    this.#perFile = perFile;
    this.#show = show;
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** Takes one line of ripgrep's JSON; false when there is enough. */
  add(json: string): boolean {
    if (!json.startsWith('{"type":"match"') && !json.startsWith('{"type":"context"')) return true;
    const { type, data } = Line.parse(JSON.parse(json));
    const name = data.path.split(path.sep).join("/").replace(/^\.\//, "");
    const file = this.#files.get(name) ?? { lines: [], hits: 0, full: false };
    this.#files.set(name, file);
    if (type === "match") {
      if (file.hits >= this.#perFile && this.#show !== "counts") {
        file.full = true;
        this.isCut = this.#show !== "files";
        return true;
      }
      file.hits += 1;
      this.#total += this.#show === "files" ? (file.hits === 1 ? 1 : 0) : 1;
    } else if (file.full) return true;
    const mark = type === "match" ? ":" : "-";
    const texts =
      this.#show === "matches" ? data.submatches.map((one) => one.match) : [data.lines.replace(/\r?\n$/, "")];
    if (this.#show === "lines" || (this.#show === "matches" && type === "match")) {
      for (const text of texts) file.lines.push(`${data.line_number ?? ""}${mark}${shorten(text)}`);
    }
    return this.#show === "counts" || this.#total < mostHits;
  }

  get names(): string[] {
    return [...this.#files.keys()];
  }

  /** By name, because ripgrep's threads find files in any order. */
  print(visible: ReadonlySet<string>, prefix: string): { text: string; isCut: boolean } {
    const blocks: string[] = [];
    for (const name of this.names.sort()) {
      const file = this.#files.get(name);
      if (file === undefined || !visible.has(prefix + name)) continue;
      if (this.#show === "files") blocks.push(`./${name}`);
      else if (this.#show === "counts") blocks.push(`./${name}:${file.hits}`);
      else blocks.push(`./${name}:\n${file.lines.join("\n")}`);
    }
    const text = blocks.join(this.#show === "lines" || this.#show === "matches" ? "\n\n" : "\n");
    return text.length > mostCharacters ? { text: text.slice(0, mostCharacters), isCut: true } : { text, isCut: false };
  }
}

function shorten(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine)}… (${line.length} characters)` : line;
}
