import { join } from "node:path";
import { runGit, withoutUserSettings } from "@muster/node";

/** Runs git on a repository of ours with the user's files as its work tree. */
export class ShadowGit {
  readonly #directory: string;
  readonly #workTree: string;
  readonly #program: string;

  constructor(options: { directory: string; workTree: string; git: string }) {
    this.#directory = options.directory;
    this.#workTree = options.workTree;
    this.#program = options.git;
  }

  run(args: readonly string[], { input, indexFile }: { input?: string; indexFile?: string } = {}): Promise<string> {
    const environment = {
      ...withoutUserSettings(this.#directory),
      GIT_DIR: this.#directory,
      GIT_WORK_TREE: this.#workTree,
      GIT_INDEX_FILE: indexFile ?? join(this.#directory, "index"),
    };
    return runGit(args, { program: this.#program, cwd: this.#workTree, environment, input });
  }
}
