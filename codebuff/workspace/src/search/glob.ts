import { statSync } from "node:fs";
import path from "node:path";
import type { GlobResult, ToolError, ToolInput } from "@muster/codebuff-protocol";
import type { FileAccess } from "../files/access/file-access.ts";
import type { Project } from "../files/access/project.ts";
import { listFiles } from "./file-list.ts";
import { globPattern } from "./glob-pattern.ts";

const mostFiles = 10_000;
const statsAtOnce = 256;

export interface SearchPorts {
  readonly project: Project;
  readonly access: FileAccess;
}

/** Files by name, newest first. */
export async function glob(
  input: ToolInput<"glob">,
  { project, access }: SearchPorts,
  signal?: AbortSignal,
): Promise<GlobResult | ToolError> {
  const opened = await access.open("glob", input.cwd ?? ".", "read");
  if (!opened.ok) return { errorMessage: opened.message };
  const { location } = opened;
  const root = location.inside ? project.root : location.real;
  const under = location.inside ? location.path : ".";
  const files = await listFiles({ root, under, ...(signal === undefined ? {} : { signal }) });
  const prefix = under === "." ? "" : `${under}/`;
  const fits = globPattern(input.pattern);
  const matched = files.filter((file) => fits(file.slice(prefix.length)) && access.shows(file));
  const sorted = await newestFirst(matched, root);
  const shown = sorted.slice(0, mostFiles).map((file) => (location.inside ? file : path.join(root, file)));
  const cut = sorted.length > shown.length ? `; the newest ${shown.length} are listed` : "";
  return {
    files: shown,
    count: shown.length,
    message: `Found ${sorted.length} file(s) matching ${input.pattern}${cut}`,
  };
}

async function newestFirst(files: readonly string[], root: string): Promise<string[]> {
  const timed: { file: string; time: number }[] = [];
  for (let from = 0; from < files.length; from += statsAtOnce) {
    for (const file of files.slice(from, from + statsAtOnce)) {
      timed.push({ file, time: modified(path.join(root, file)) });
    }
    await new Promise(setImmediate);
  }
  return timed.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).map((one) => one.file);
}

/** In slices and not through the thread pool: measured on 100,000 files that is three times as fast. */
function modified(absolute: string): number {
  // A file deleted meanwhile counts as the oldest.
  return statSync(absolute, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
