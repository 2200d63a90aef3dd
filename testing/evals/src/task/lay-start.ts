import { access, cp, mkdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { runProgram } from "../run/run-program.ts";
import { TaskError } from "./read-task.ts";
import type { Task } from "./task.ts";

const setupMs = 10 * 60_000;

/**
 * Lays what a task begins with into a directory that is not there yet: the folder start/ or a repository at a commit, then
 * `setup.sh` of the task runs in it, for what a folder cannot hold (a history, links, modes).
 */
export async function layStart(task: Task, directory: string): Promise<void> {
  if (task.start === undefined) {
    await cp(join(task.folder, "start"), directory, { recursive: true, verbatimSymlinks: true });
  } else {
    await mkdir(directory, { recursive: true });
    const { repository, commit } = task.start;
    const isAddress = isAbsolute(repository) || /^[a-z+]+:\/\/|^[^/]+@/.test(repository);
    const source = isAddress ? repository : join(task.folder, repository);
    await runStep(task, directory, ["git", "clone", "--quiet", "--no-hardlinks", "--no-checkout", source, "."]);
    await runStep(task, directory, ["git", "checkout", "--quiet", "--detach", commit]);
  }
  const setup = join(task.folder, "setup.sh");
  const hasSetup = await access(setup).then(
    () => true,
    () => false,
  );
  if (hasSetup) await runStep(task, directory, ["/bin/bash", setup]);
}

async function runStep(task: Task, cwd: string, command: readonly [string, ...string[]]): Promise<void> {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" };
  const { code, output } = await runProgram(command, { cwd, env, timeoutMs: setupMs });
  if (code !== 0) throw new TaskError(`${task.id} cannot be begun: ${command.join(" ")} failed: ${output.trim()}`);
}
