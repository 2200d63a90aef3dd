import { join } from "node:path";
import { runGit, withoutUserSettings } from "@muster/node";

export interface ShadowGitCall {
  input?: string;
  indexFile?: string;
  /** Contents of another repository of ours that may be read too. */
  objects?: string;
  /** It is ended when it prints more. */
  mostBytes?: number;
}

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

  run(args: readonly string[], { input, indexFile, objects, mostBytes }: ShadowGitCall = {}): Promise<string> {
    const environment = {
      ...(objects === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }),
      ...withoutUserSettings(this.#directory),
      GIT_DIR: this.#directory,
      GIT_WORK_TREE: this.#workTree,
      GIT_INDEX_FILE: indexFile ?? join(this.#directory, "index"),
    };
    return runGit(args, { program: this.#program, cwd: this.#workTree, environment, input, mostBytes });
  }
}
