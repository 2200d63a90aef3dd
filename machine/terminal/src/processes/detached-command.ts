import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { childEnd } from "./child-end.ts";
import { type Environment, terminalEnvironment } from "./environment.ts";
import { endTree, markFor, type Owner, processIdentity } from "./process-tree.ts";

export interface DetachedOptions {
  command: string;
  /** What the shell is given in place of the command, such as the same command in a sandbox. */
  text?: string;
  shell: string;
  cwd: string;
  environment: Environment;
  /** Exported variables of a session, which the command starts with. */
  environmentFile?: string | null;
  directory: string;
  /** Id of the terminal it belongs to, and the variable that says so in its environment. */
  owner: string;
  variable: string;
  onOutput(bytes: Buffer, stream: "stdout" | "stderr"): void;
}

export interface DetachedCommand {
  pid: number;
  /** Exit code; a signal n is 128 + n. Resolves when its output was read too. Never rejects. */
  ended: Promise<number>;
  /** Ends it and everything it started. */
  end(graceMs: number): Promise<void>;
}

/** A command in a fresh bash of its own, without a terminal and without input. */
export function startDetached(options: DetachedOptions): DetachedCommand {
  const name = join(options.directory, randomBytes(8).toString("hex"));
  const mark = `${options.owner}.${randomBytes(8).toString("hex")}`;
  const environment = terminalEnvironment(options.environment);
  const { variable } = options;
  const value = markFor({ variable, mark }, environment);
  writeFileSync(`${name}.sh`, `${options.text ?? options.command}\n`, { mode: 0o600 });
  // A copy: the session replaces its file with every command.
  if (options.environmentFile) copyFileSync(options.environmentFile, `${name}.env`);
  const inherited = options.environmentFile ? `${name}.env` : "";
  const given = ["bash", `${name}.sh`, inherited, value];
  const child = spawn(options.shell, ["--noprofile", "--norc", "-c", wrapper(variable), ...given], {
    cwd: options.cwd,
    env: { ...environment, TERM: "dumb", [variable]: value },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (bytes: Buffer) => options.onOutput(bytes, "stdout"));
  child.stderr.on("data", (bytes: Buffer) => options.onOutput(bytes, "stderr"));
  const identity = child.pid === undefined ? null : processIdentity(child.pid);
  const owner: Owner = { variable, mark, ...(identity && { roots: [identity], since: identity.startTime }) };
  const ended = childEnd(child).finally(() => {
    rmSync(`${name}.sh`, { force: true });
    rmSync(`${name}.env`, { force: true });
  });
  return { pid: child.pid ?? -1, ended, end: (graceMs) => endTree(owner, { graceMs }) };
}

function wrapper(variable: string): string {
  return `if [ -n "$2" ]; then . "$2" >/dev/null 2>&1; export ${variable}="$3"; fi
__terminal_script=$1; set --; . "$__terminal_script"`;
}
