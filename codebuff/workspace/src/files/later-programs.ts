import { createHash } from "node:crypto";
import { closeSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { openRegularSync } from "@muster/node";

/** Files of a project that a program of the person's runs by itself: git, an editor, a shell that enters, a package manager. */
const files = [
  ".envrc",
  ".gitattributes",
  ".gitmodules",
  ".git/config",
  ".git/config.worktree",
  ".git/commondir",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  "lefthook.yaml",
  ".lintstagedrc",
  ".lintstagedrc.json",
  ".mise.toml",
  "mise.toml",
  ".devcontainer.json",
  ".gitlab-ci.yml",
  "package.json",
];
/** Every file directly inside. */
const directories = [".git/hooks", ".husky", ".githooks", ".vscode", ".devcontainer", ".github/workflows"];

/** Each of these files and what it would run, as a digest. */
type LaterPrograms = ReadonlyMap<string, string>;

/** A few dozen small files at the top of the project; without waiting, so that it can be told before a run is over. */
export function readLaterPrograms(root: string): LaterPrograms {
  const inside = directories.flatMap((directory) =>
    namesIn(path.join(root, directory)).map((name) => `${directory}/${name}`),
  );
  const digests = [...files, ...inside].map((file) => [file, digestOf(root, file)] as const);
  return new Map(digests.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Those that are new, gone or different. */
export function changedPrograms(before: LaterPrograms, after: LaterPrograms): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).slice(0, 200);
  } catch {
    // There is none.
    return [];
  }
}

/** Of a package.json its scripts alone: a new dependency runs nothing by itself. */
function digestOf(root: string, file: string): string | undefined {
  const text = readSmall(path.join(root, file));
  if (text === undefined) return undefined;
  return createHash("sha256")
    .update(file === "package.json" ? scriptsOf(text) : text)
    .digest("hex");
}

function readSmall(file: string): string | undefined {
  try {
    const opened = openRegularSync(file);
    try {
      return readFileSync(opened, "latin1");
    } finally {
      closeSync(opened);
    }
  } catch {
    // Not there, or nothing that could be run.
    return undefined;
  }
}

function scriptsOf(text: string): string {
  try {
    return JSON.stringify((JSON.parse(text) as { scripts?: unknown }).scripts ?? {});
  } catch {
    // What npm cannot read runs nothing; once it can be read it is another text.
    return text;
  }
}
