import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { type Task, TaskFile } from "./task.ts";

/** A task that cannot be used; the text says which file is wrong, and how. */
export class TaskError extends Error {}

/** Reads one folder of a task, and sees that it is whole. */
export async function readTask(folder: string): Promise<Task> {
  const file = join(folder, "task.toml");
  const settings = TaskFile.safeParse(parseToml(await textOf(file), file));
  if (!settings.success) throw new TaskError(`${file}: ${z.prettifyError(settings.error)}`);
  const instruction = (await textOf(join(folder, "instruction.md"))).trim();
  if (instruction === "") throw new TaskError(`${join(folder, "instruction.md")} is empty`);
  await textOf(join(folder, "tests", "check.sh"));
  if (settings.data.start === undefined && !(await isDirectory(join(folder, "start")))) {
    throw new TaskError(`${folder} has neither a folder start/ nor [start] with a repository`);
  }
  return { ...settings.data, id: basename(folder), folder, instruction };
}

function parseToml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new TaskError(`${file}:${error.line}:${error.column}: ${error.message.split("\n")[0]}`);
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new TaskError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

const isDirectory = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
