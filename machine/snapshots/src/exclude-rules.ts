import { lstatSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { RepositoryPlace } from "@muster/node";

/** Directories that tools fill and empty by themselves; a project's .gitignore can take them in again with `!`. */
const generated = [
  "node_modules/",
  ".venv/",
  "venv/",
  "__pycache__/",
  ".pytest_cache/",
  ".mypy_cache/",
  ".gradle/",
  ".next/",
  ".DS_Store",
];

export interface ExcludeSource {
  file: string;
  /** The directory its patterns count from, seen from the project: "" for the project itself, "packages/a" if above. */
  below: string;
}

/**
 * Where ignore rules lie that git would not find in the work tree itself: the user's global ones, those of the
 * repository's info/exclude, and .gitignore files above a project that is a part of a repository.
 */
export function excludeSources(
  root: string,
  { excludesFile, place }: { excludesFile: string; place: RepositoryPlace | undefined },
): ExcludeSource[] {
  const sources: ExcludeSource[] = [{ file: excludesFile, below: "" }];
  if (place === undefined) return sources;
  const { top } = place;
  const below = relative(top, root).split(sep).join("/");
  sources.push({ file: join(place.commonDirectory, "info", "exclude"), below });
  const above: ExcludeSource[] = [];
  for (let directory = root; directory !== top && directory !== dirname(directory); ) {
    directory = dirname(directory);
    above.unshift({ file: join(directory, ".gitignore"), below: relative(directory, root).split(sep).join("/") });
  }
  return [...sources, ...above];
}

/** All rules as the text of one exclude file; later lines win. */
export function excludeText(sources: readonly ExcludeSource[]): string {
  const lines = sources.flatMap(({ file, below }) =>
    readRules(file).flatMap((line) => patternBelow(line, below) ?? []),
  );
  return `${[...generated, ...lines].join("\n")}\n`;
}

/** A pattern as it reads from a directory further down; null when it cannot mean anything there. */
export function patternBelow(line: string, below: string): string | null {
  if (line.trim() === "" || line.startsWith("#")) return null;
  if (below === "") return line;
  const negation = line.startsWith("!") ? "!" : "";
  const pattern = line.slice(negation.length);
  const anchored = pattern.replace(/\/\s*$/, "").includes("/");
  if (!anchored || pattern.startsWith("**/")) return line;
  const path = pattern.replace(/^\//, "");
  return path.startsWith(`${below}/`) ? `${negation}/${path.slice(below.length + 1)}` : null;
}

/** A pattern of a .gitignore in a directory as it reads from the root of the project; null for what is no pattern. */
export function patternInside(line: string, directory: string): string | null {
  if (line.trim() === "" || line.startsWith("#")) return null;
  if (directory === "") return line;
  const negation = line.startsWith("!") ? "!" : "";
  const pattern = line.slice(negation.length);
  const anchored = pattern.replace(/\/\s*$/, "").includes("/");
  const place = directory.replace(/[\\*?[]/g, "\\$&");
  return `${negation}/${place}/${anchored ? "" : "**/"}${pattern.replace(/^\/|^\\(?=[!#])/, "")}`;
}

export function readRules(file: string): string[] {
  try {
    // Git does not follow a link here either.
    if (!lstatSync(file).isFile()) return [];
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    // No file, no rules.
    return [];
  }
}
