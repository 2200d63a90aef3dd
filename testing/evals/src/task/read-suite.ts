import { access, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readTask, TaskError } from "./read-task.ts";
import type { Task } from "./task.ts";

/** The tasks of a folder, or the one task that the folder is; `only` are names or tags. */
export async function readSuite(path: string, only: readonly string[] = []): Promise<Task[]> {
  const folder = resolve(path);
  const tasks = await Promise.all((await taskFolders(folder)).map(readTask));
  const wanted = only.length === 0 ? tasks : tasks.filter((task) => only.some((word) => isMeant(task, word)));
  const nobody = only.find((word) => !tasks.some((task) => isMeant(task, word)));
  if (nobody !== undefined) throw new TaskError(`No task of ${folder} has the name or the tag '${nobody}'`);
  return wanted;
}

async function taskFolders(folder: string): Promise<string[]> {
  if (await isThere(join(folder, "task.toml"))) return [folder];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new TaskError(`${folder} is no folder that can be read`);
  });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const found: string[] = [];
  for (const one of folders.sort()) if (await isThere(join(one, "task.toml"))) found.push(one);
  if (found.length === 0) throw new TaskError(`${folder} holds no task: no folder in it has a task.toml`);
  return found;
}

const isMeant = (task: Task, word: string) => task.id === word || task.tags.includes(word);

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
