import { arch, homedir, platform, release } from "node:os";
import { basename } from "node:path";
import type { FileContext, Skill } from "@muster/codebuff-protocol";
import { listFiles } from "@muster/codebuff-workspace";
import { messageOf } from "@muster/core";
import { isInside } from "@muster/node";
import { readGitChanges } from "./git-changes.ts";
import { knowledgePaths, readKnowledge, readUserKnowledge } from "./knowledge.ts";

/** More would not fit into any prompt. */
const mostFiles = 10_000;

export interface ContextOptions {
  /** Where the files lie. */
  readonly root: string;
  /** What a virtual project is called; its files lie in a private directory, where git knows nothing. */
  readonly virtualRoot?: string;
  readonly home?: string;
  readonly knowledgeFiles?: Readonly<Record<string, string>>;
  readonly userKnowledgeFiles?: Readonly<Record<string, string>>;
  readonly skills: Readonly<Record<string, Skill>>;
  readonly signal?: AbortSignal;
  readonly warn: (message: string) => void;
}

/** What is known of the project now. Read anew for every run: a conversation that keeps an earlier list tells the difference. */
export async function readFileContext(options: ContextOptions): Promise<FileContext> {
  const { root, virtualRoot, home = homedir(), skills, warn, signal } = options;
  const tree = list(root, home, warn, signal);
  const [fileTree, knowledge, ownKnowledge, gitChanges] = await Promise.all([
    tree,
    options.knowledgeFiles ?? tree.then((files) => readKnowledge(root, knowledgePaths(files))),
    readUserKnowledge(home),
    virtualRoot === undefined ? readGitChanges(root) : undefined,
  ]);
  return {
    projectRoot: virtualRoot ?? root,
    cwd: virtualRoot ?? root,
    fileTree,
    knowledgeFiles: { ...knowledge },
    userKnowledgeFiles: { ...ownKnowledge, ...options.userKnowledgeFiles },
    skills: { ...skills },
    gitChanges,
    systemInfo: systemInfo(),
  };
}

async function list(
  root: string,
  home: string,
  warn: (message: string) => void,
  signal?: AbortSignal,
): Promise<string[]> {
  // The home directory and what is above it are no projects: listing them takes minutes and tells nothing.
  if (isInside(root, home)) return [];
  try {
    const files = (await listFiles({ root, signal })).sort(byDepth);
    if (files.length > mostFiles) warn(`The project has ${files.length} files; the first ${mostFiles} are shown`);
    return files.slice(0, mostFiles);
  } catch (error) {
    if (signal?.aborted !== true) warn(`The files of ${root} cannot be listed: ${messageOf(error)}`);
    return [];
  }
}

/** Breadth first: when something has to be left out, it is what lies deepest. */
function byDepth(one: string, other: string): number {
  return depth(one) - depth(other) || (one < other ? -1 : 1);
}

function depth(path: string): number {
  let count = 0;
  for (const character of path) if (character === "/") count++;
  return count;
}

/** Nothing here changes during a day: it stands in the prompt's cached part. */
function systemInfo(): Record<string, string> {
  return {
    platform: platform(),
    release: release(),
    arch: arch(),
    shell: basename(process.env.SHELL ?? "bash"),
    node: process.version,
  };
}
