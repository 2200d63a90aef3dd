import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import ignore, { type Ignore } from "ignore";

/** Always left out of trees and searches: not written by people, or not for reading. */
export const hiddenGlobs: readonly string[] = [
  "!.git",
  "!node_modules",
  "!*.min.*",
  "!{venv,.venv,virtualenv,env.bak}",
  "!__pycache__",
  "!{.cache,.mypy_cache,.pytest_cache,.ruff_cache,.parcel-cache,.turbo}",
  "!{.next,.nuxt,.svelte-kit}",
  "!{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb}",
  "!{Cargo.lock,poetry.lock,uv.lock,Gemfile.lock,composer.lock,go.sum,flake.lock}",
  "!.DS_Store",
];

/** ripgrep reads .gitignore by itself, nested ones too; these make it do so everywhere in the same way. */
export const ignoreFlags: readonly string[] = ["--no-require-git", "--no-ignore-global", "--no-ignore-dot"];

const ownFiles = [".codebuffignore", ".manicodeignore"];

/** The project's own ignore files, nested like .gitignore. They hide more; what .gitignore hides stays hidden. */
export class IgnoreRules {
  readonly #root: string;
  readonly #own = new Map<string, Ignore | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The files of the list that no rule hides. Paths are relative with forward slashes. */
  visible(files: readonly string[]): string[] {
    const chains = new Map<string, Chain>();
    for (const directory of new Set(files.map(directoryOf))) chains.set(directory, this.#chain(directory));
    return files.filter((file) => {
      const chain = chains.get(directoryOf(file)) ?? [];
      return !chain.some(({ prefix, rules }) => rules.ignores(file.slice(prefix.length)));
    });
  }

  /** The rules that hold in a directory: its own and those above it. */
  #chain(directory: string): Chain {
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
    if (!this.#own.has(directory)) this.#own.set(directory, load(path.join(this.#root, directory)));
    return this.#own.get(directory);
  }
}

type Chain = { readonly prefix: string; readonly rules: Ignore }[];

function directoryOf(file: string): string {
  const slash = file.lastIndexOf("/");
  return slash < 0 ? "" : file.slice(0, slash);
}

/** Asked for every directory and almost never there: looking for the name is all that costs. */
function load(directory: string): Ignore | undefined {
  const present = ownFiles.map((name) => path.join(directory, name)).filter((file) => existsSync(file));
  if (present.length === 0) return undefined;
  return ignore().add(present.map(readOrNothing).join("\n"));
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
