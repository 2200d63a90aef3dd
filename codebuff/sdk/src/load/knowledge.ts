import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, posix } from "node:path";

export const KNOWLEDGE_FILE_NAMES = ["knowledge.md", "AGENTS.md", "CLAUDE.md"] as const;
const largestBytes = 1_000_000;

/** Of the project's files, those that hold knowledge: the first of the three names per directory, and `*.knowledge.md`. */
export function knowledgePaths(files: readonly string[]): string[] {
  const best = new Map<string, { path: string; rank: number }>();
  const others: string[] = [];
  for (const path of files) {
    const name = posix.basename(path).toLowerCase();
    if (name.endsWith(".knowledge.md")) others.push(path);
    const rank = KNOWLEDGE_FILE_NAMES.findIndex((known) => known.toLowerCase() === name);
    const directory = posix.dirname(path);
    if (rank !== -1 && rank < (best.get(directory)?.rank ?? Number.POSITIVE_INFINITY))
      best.set(directory, { path, rank });
  }
  return [...[...best.values()].map(({ path }) => path), ...others].sort();
}

/** Path → text; a file that cannot be read or is no text a person wrote is left out. */
export async function readKnowledge(root: string, paths: readonly string[]): Promise<Record<string, string>> {
  const read = await Promise.all(
    paths.map(async (path) => {
      const file = join(root, path);
      const size = (await stat(file).catch(() => undefined))?.size ?? Number.POSITIVE_INFINITY;
      return size > largestBytes ? undefined : ([path, await readFile(file, "utf8").catch(() => "")] as const);
    }),
  );
  return Object.fromEntries(read.filter((one) => one !== undefined));
}

/** `~/.knowledge.md`, `~/.AGENTS.md` or `~/.CLAUDE.md`, the first that is there. */
export async function readUserKnowledge(home = homedir()): Promise<Record<string, string>> {
  const names = await readdir(home).catch(() => []);
  for (const known of KNOWLEDGE_FILE_NAMES) {
    const found = names.find((name) => name.toLowerCase() === `.${known.toLowerCase()}`);
    if (found === undefined) continue;
    const text = (await readKnowledge(home, [found]))[found];
    if (text !== undefined) return { [`~/${found}`]: text };
  }
  return {};
}
