import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import ignore, { type Ignore } from "ignore";

/** Always left out of trees and searches: not written by people, or not for reading. */
const hidden: readonly string[] = [
  ".git",
  "node_modules",
  "*.min.*",
  ...["venv", ".venv", "virtualenv", "env.bak", "__pycache__"],
  ...[".cache", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".parcel-cache", ".turbo"],
  ...[".next", ".nuxt", ".svelte-kit"],
  ...["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"],
  ...["Cargo.lock", "poetry.lock", "uv.lock", "Gemfile.lock", "composer.lock", "go.sum", "flake.lock"],
  ".DS_Store",
];
export const hiddenGlobs: readonly string[] = hidden.map((name) => `!${name}`);

/** ripgrep reads .gitignore by itself, nested ones too; these make it do so everywhere in the same way. */
export const ignoreFlags: readonly string[] = ["--no-require-git", "--no-ignore-global", "--no-ignore-dot"];

const ownFiles = [".codebuffignore", ".manicodeignore"];
const alwaysHidden = ignore().add([...hidden]);

/** The project's own ignore files, nested like .gitignore. They hide more; what .gitignore hides stays hidden. */
export class IgnoreRules {
  readonly #own: RuleFiles;
  readonly #git: RuleFiles;

  constructor(root: string) {
    this.#own = new RuleFiles(root, ownFiles);
    this.#git = new RuleFiles(root, [".gitignore"]);
  }

  /** The files of a list that ripgrep has made, less those that our own files hide. */
  visible(files: readonly string[]): string[] {
    const chains = new Map<string, Chain>();
    for (const directory of new Set(files.map(directoryOf))) chains.set(directory, this.#own.chain(directory));
    return files.filter((file) => {
      const chain = chains.get(directoryOf(file)) ?? [];
      return !chain.some(({ prefix, rules }) => rules.ignores(file.slice(prefix.length)));
    });
  }

  /** The same for one path that ripgrep has not seen; that nothing above it is hidden is the caller's knowledge. */
  hides(path: string, isDirectory: boolean): boolean {
    const name = isDirectory ? `${path}/` : path;
    const directory = directoryOf(path);
    const says = ({ prefix, rules }: Chain[number]) => rules.test(name.slice(prefix.length));
    if (alwaysHidden.ignores(name) || this.#own.chain(directory).some((one) => says(one).ignored)) return true;
    // Of several .gitignore files the nearest one that says anything decides.
    const word = this.#git
      .chain(directory)
      .map(says)
      .findLast(({ ignored, unignored }) => ignored || unignored);
    return word?.ignored === true;
  }
}

/** Files of rules with these names, nested; each is read once. */
class RuleFiles {
  readonly #root: string;
  readonly #names: readonly string[];
  readonly #known = new Map<string, Ignore | undefined>();

  constructor(root: string, names: readonly string[]) {
    this.#root = root;
    this.#names = names;
  }

  /** The rules that hold in a directory: those above it, then its own. */
  chain(directory: string): Chain {
    const names = directory === "" ? [] : directory.split("/");
    const chain: Chain = [];
    for (let depth = 0; depth <= names.length; depth += 1) {
      const above = names.slice(0, depth).join("/");
      const rules = this.#rules(above);
      if (rules !== undefined) chain.push({ prefix: above === "" ? "" : `${above}/`, rules });
    }
    return chain;
  }

  #rules(directory: string): Ignore | undefined {
    if (!this.#known.has(directory)) this.#known.set(directory, this.#load(path.join(this.#root, directory)));
    return this.#known.get(directory);
  }

  /** Asked for every directory and almost never there: looking for the name is all that costs. */
  #load(directory: string): Ignore | undefined {
    const present = this.#names.map((name) => path.join(directory, name)).filter((file) => existsSync(file));
    if (present.length === 0) return undefined;
    return ignore().add(present.map(readOrNothing).join("\n"));
  }
}

type Chain = { readonly prefix: string; readonly rules: Ignore }[];

function directoryOf(file: string): string {
  const slash = file.lastIndexOf("/");
  return slash < 0 ? "" : file.slice(0, slash);
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // A file that is gone or unreadable has no rules.
    return "";
  }
}
