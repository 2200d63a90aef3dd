import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isInside } from "@muster/node";

/**
 * What a confined command sees beside the system and the project, as absolute paths: where its programs and their caches
 * are, git's settings of the user, and the repository that the project is a part of. Everything else is not there.
 */
export function visiblePaths(place: {
  root: string;
  home: string;
  searchPath: string;
  more?: readonly string[];
}): string[] {
  const { root, home, searchPath, more = [] } = place;
  const programs = searchPath.split(path.delimiter).filter(path.isAbsolute).map(programDirectory);
  const inHome = ofHome.map((name) => path.join(home, name));
  const all = [...programs, ...inHome, ...repositoryOf(root), ...more.filter(path.isAbsolute)];
  return [...new Set(all)].filter((one) => one !== "/" && one !== home && !isInside(root, one) && existsSync(one));
}

/** Caches and settings of programs. None of them is where a program keeps keys. */
const ofHome = [
  ".gitconfig",
  ".config/git",
  ".cache",
  ".npm/_cacache",
  ".cargo/registry",
  ".cargo/git",
  ".rustup",
  ".pyenv",
  ".rbenv",
  ".nvm",
  ".volta",
  ".asdf",
  ".sdkman",
  ".bun",
  ".deno",
  ".dotnet",
  ".yarn",
  ".m2/repository",
  ".gradle/caches",
  ".gradle/wrapper",
  ".nuget/packages",
  ".local/lib",
  ".local/pipx",
  ".local/share/pipx",
  ".local/share/uv",
  ".local/share/mise",
  ".local/share/fnm",
  ".local/share/pnpm",
  "go/pkg",
];

/** Programs read what lies beside their `bin`. `~/.cargo` and `~/.local` hold more than that. */
function programDirectory(directory: string): string {
  const parent = path.dirname(directory);
  const isWhole = /^(?:bin|sbin|shims|\.bin)$/.test(path.basename(directory)) && !/\/\.(?:cargo|local)$/.test(parent);
  return isWhole ? parent : directory;
}

/** The directory whose repository the project is in, and where a further work tree has its repository. */
function repositoryOf(root: string): string[] {
  for (let top = root; ; top = path.dirname(top)) {
    const found = path.join(top, ".git");
    if (existsSync(found)) return [...(top === root ? [] : [top]), ...linkedRepository(found)];
    if (top === path.dirname(top)) return [];
  }
}

/** The repository that a file in place of `.git` names, and the one that it shares with other work trees. */
export function linkedRepository(file: string): string[] {
  try {
    const target = /^gitdir: (.+)$/m.exec(readFileSync(file, "utf8"))?.[1];
    if (target === undefined) return [];
    const directory = path.resolve(path.dirname(file), target);
    return [directory, ...sharedRepository(directory)];
  } catch {
    // A directory is the repository itself.
    return [];
  }
}

function sharedRepository(directory: string): string[] {
  try {
    return [path.resolve(directory, readFileSync(path.join(directory, "commondir"), "utf8").trim())];
  } catch {
    // It shares nothing.
    return [];
  }
}
