import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/** A program of ours that runs as a process of its own. */
export interface OwnProgram {
  /** The file it is in. */
  readonly path: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Run by its file, where there are files; a single executable has none and is started again with the program's name. */
export function ownProgram(name: string, file: URL): OwnProgram {
  const { execPath: command } = process;
  const isRuntime = /^(node|bun)/.test(basename(command));
  if (!isRuntime) return { path: command, command, args: ["__agent", name] };
  const path = fileURLToPath(file);
  return { path, command, args: [path] };
}
