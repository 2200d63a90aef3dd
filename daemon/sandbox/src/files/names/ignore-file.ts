import { matchesGlob, matchesName } from "./glob.ts";

interface Rule {
  readonly pattern: readonly string[];
  readonly isNegated: boolean;
  readonly isForDirectories: boolean;
  /** It names a path from the file's directory on; otherwise a name at any depth. */
  readonly isAnchored: boolean;
}

/** The rules of a `.gitignore`. Our own, because its writer may be an agent: no pattern can take more than a moment. */
export class IgnoreFile {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/).flatMap(ruleOf);
  }

  /** Whether a path below its directory is left out; undefined where no rule says anything. */
  says(path: readonly string[], isDirectory: boolean): boolean | undefined {
    const name = path.at(-1) ?? "";
    for (const { pattern, isNegated, isForDirectories, isAnchored } of this.#rules.toReversed()) {
      if (isForDirectories && !isDirectory) continue;
      if (isAnchored ? matchesGlob(pattern, path) : matchesName(pattern[0] ?? "", name)) return !isNegated;
    }
    return undefined;
  }
}

function ruleOf(line: string): Rule[] {
  const text = line.replace(/(?<!\\) +$/, "");
  if (text === "" || text.startsWith("#")) return [];
  const isNegated = text.startsWith("!");
  const wanted = isNegated ? text.slice(1) : text;
  const isForDirectories = wanted.endsWith("/");
  const path = isForDirectories ? wanted.slice(0, -1) : wanted;
  const pattern = path.split("/").filter((name) => name !== "");
  if (pattern.length === 0) return [];
  return [{ pattern, isNegated, isForDirectories, isAnchored: path.includes("/") }];
}
