import { join } from "node:path";
import { BorrowedRepository, replaceFile } from "@muster/node";
import { split } from "./capture.ts";
import { type ExcludeSource, excludeText, patternInside, readRules } from "./exclude-rules.ts";
import { stampOf } from "./look.ts";
import type { Store } from "./store.ts";

export interface RulesOptions {
  store: Store;
  sources: readonly ExcludeSource[];
  git: string;
  /** The index of the repository the project lies in; null when it lies in none. */
  userIndex: string | null;
}

export interface Rules {
  text: string;
  tracked: string[];
}

/** The ignore rules that hold now. Asked again it looks only at what they were made of. */
export class CurrentRules {
  readonly #options: RulesOptions;
  #known: { sources: string; stamps: Map<string, string>; text: string } | null = null;
  #tracked: { key: string; paths: string[] } | null = null;

  constructor(options: RulesOptions) {
    this.#options = options;
  }

  /** `changed` are paths that differ from what was recorded; a new .gitignore is among them. */
  async read(changed: readonly string[] = []): Promise<Rules> {
    const { store } = this.#options;
    const sources = excludeText(this.#options.sources);
    const known = this.#known;
    const isFresh =
      known !== null &&
      known.sources === sources &&
      !changed.some(isIgnoreFile) &&
      [...known.stamps].every(([path, stamp]) => stampOf(join(store.root, path)) === stamp);
    if (!isFresh) {
      const files = await this.#ignoreFiles(sources);
      const stamps = new Map(files.map((path) => [path, stampOf(join(store.root, path))]));
      const inside = files.flatMap((path) =>
        readRules(join(store.root, path)).flatMap((line) => patternInside(line, directoryOf(path)) ?? []),
      );
      this.#known = { sources, stamps, text: `${sources}${inside.join("\n")}\n` };
    }
    const text = this.#known?.text ?? sources;
    return { text, tracked: await this.#trackedAnyway(text) };
  }

  /**
   * Every .gitignore that git would read, the outer ones first: of two rules that fit, the inner one counts. Those in
   * directories that a rule at the root ignores are not looked for; one that ignores itself is found all the same.
   */
  async #ignoreFiles(sources: string): Promise<string[]> {
    const { store } = this.#options;
    const file = join(store.sessionDirectory, "rules-at-root");
    await replaceFile(file, [sources, ...readRules(join(store.root, ".gitignore")), "!.gitignore", ""].join("\n"));
    const args = ["ls-files", "-z", "-c", "-o", "-X", file, "--", ":(glob)**/.gitignore"];
    const found = split(await store.git.run(args, { indexFile: store.indexFile }));
    const depth = (path: string) => path.split("/").length;
    return [...new Set([".gitignore", ...found])].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  }

  /** What the user committed although a rule ignores it is part of the project. */
  async #trackedAnyway(rules: string): Promise<string[]> {
    const { git, store, userIndex } = this.#options;
    if (userIndex === null) return [];
    const key = `${stampOf(userIndex)} ${rules}`;
    if (this.#tracked?.key !== key) {
      const repository = await BorrowedRepository.open(store.root, { program: git });
      const listed = await repository
        ?.run(["ls-files", "-z", "-c", "-i", "--exclude-standard"])
        .catch(() => "")
        .finally(() => repository.close());
      this.#tracked = { key, paths: split(listed ?? "") };
    }
    return this.#tracked.paths;
  }
}

function isIgnoreFile(path: string): boolean {
  return path === ".gitignore" || path.endsWith("/.gitignore");
}

function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
