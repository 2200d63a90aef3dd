import { spawn } from "node:child_process";
import { join } from "node:path";

/** Why git refused, in its own words. */
export class GitFailure extends Error {
  override readonly name = "GitFailure";
}

interface GitCall {
  /** Written to its standard input. */
  input?: string;
  indexFile?: string;
}

/** Runs git on a repository of ours with the user's files as its work tree. */
export class ShadowGit {
  readonly #directory: string;
  readonly #workTree: string;
  readonly #git: string;

  constructor(options: { directory: string; workTree: string; git: string }) {
    this.#directory = options.directory;
    this.#workTree = options.workTree;
    this.#git = options.git;
  }

  async run(args: readonly string[], call: GitCall = {}): Promise<string> {
    const environment = {
      ...cleanEnvironment(this.#directory),
      GIT_DIR: this.#directory,
      GIT_WORK_TREE: this.#workTree,
      GIT_INDEX_FILE: call.indexFile ?? join(this.#directory, "index"),
    };
    return runGit(this.#git, args, { cwd: this.#workTree, environment, ...call });
  }
}

/** Asks the user's own git something, with its configuration, and without anything it could write. */
export async function askUserGit(git: string, root: string, args: readonly string[]): Promise<string | null> {
  const environment = { ...withoutGitVariables(), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
  const silent = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  return runGit(git, [...silent, ...args], { cwd: root, environment }).catch(() => null);
}

/** No configuration, no hooks, no locale of the user; older versions look for the first two by HOME. */
function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  return {
    ...withoutGitVariables(),
    HOME: home,
    XDG_CONFIG_HOME: home,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

function withoutGitVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
}

function runGit(
  git: string,
  args: readonly string[],
  options: { cwd: string; environment: NodeJS.ProcessEnv; input?: string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(git, args, {
      cwd: options.cwd,
      env: options.environment,
      stdio: ["pipe", "pipe", "pipe"],
      // Ctrl-C at a terminal goes to every process of the group; a snapshot is written to its end all the same.
      detached: true,
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (bytes: Buffer) => output.push(bytes));
    child.stderr.on("data", (bytes: Buffer) => errors.push(bytes));
    // It may end without having read everything; its exit code tells.
    child.stdin.on("error", () => {});
    child.on("error", (error) => reject(new GitFailure(`git could not be run: ${error.message}`)));
    child.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString("utf8"));
      else reject(new GitFailure(Buffer.concat(errors).toString("utf8").trim() || `git ${args[0]} ended with ${code}`));
    });
    child.stdin.end(options.input ?? "");
  });
}
