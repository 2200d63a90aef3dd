import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { readRegular } from "@muster/node";
import type { Trust, TrustItem } from "../load/trust.ts";
import { type CustomCommand, readCommand } from "./custom-command.ts";

interface Place {
  readonly cwd: string;
  readonly home?: string;
}

interface CommandFile {
  readonly name: string;
  readonly path: string;
  readonly whose: "user" | "project";
}

const mostFiles = 500;

/** What is to be had here, by name: a project's stands before the person's of the same name, `.agents` before `.claude`. */
export async function listCommands({ cwd, home = homedir() }: Place): Promise<CustomCommand[]> {
  const found = new Map<string, CustomCommand>();
  for (const file of await commandFiles(cwd, home)) {
    const content = await contentOf(file.path);
    if (content !== undefined) found.set(file.name, await readCommand(file, content));
  }
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name));
}

/** The command a prompt names, such as `/review 12`; undefined where none has that name. `/project:review` and `/user:review` say whose. */
export async function findCommand(
  prompt: string,
  { cwd, home = homedir() }: Place,
): Promise<{ command: CustomCommand; content: string; faults: readonly string[]; given: string } | undefined> {
  const [, named = "", given = ""] = /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  if (named === "") return undefined;
  const [, whose, rest = named] = /^(?:(project|user):)?(.+)$/.exec(named) ?? [];
  const files = await commandFiles(cwd, home);
  const file =
    files.findLast(({ name }) => name === named) ??
    files.findLast((one) => one.name === rest && (whose === undefined || one.whose === whose));
  const content = file && (await contentOf(file.path));
  if (file === undefined || content === undefined) return undefined;
  const { faults, ...command } = await readCommand(file, content);
  return { command, content, faults, given: given.trim() };
}

/** A command of the project steers the model, may run something and opens tools to it. */
function commandItem({ path }: Pick<CustomCommand, "path">, content: string): TrustItem {
  return { kind: "command", path, content };
}

/** The commands a project brings, for a person to accept. */
export async function projectCommandItems(cwd: string, home: string): Promise<TrustItem[]> {
  const files = (await commandFiles(cwd, home)).filter(({ whose }) => whose === "project");
  const items = files.map(async (file) => {
    const content = await contentOf(file.path);
    return content === undefined ? [] : [commandItem(file, content)];
  });
  return (await Promise.all(items)).flat();
}

export function isTrustedCommand(command: CustomCommand, content: string, trust: Trust): Promise<boolean> {
  return command.whose === "user" ? Promise.resolve(true) : trust.accepts(commandItem(command, content));
}

/** Later ones win. */
async function commandFiles(cwd: string, home: string): Promise<CommandFile[]> {
  const folders = [".claude/commands", ".agents/commands"];
  const own = folders.map((folder) => filesIn(join(home, folder), "user"));
  const brought = cwd === home ? [] : folders.map((folder) => filesIn(join(cwd, folder), "project"));
  return (await Promise.all([...own, ...brought])).flat();
}

async function filesIn(folder: string, whose: CommandFile["whose"]): Promise<CommandFile[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names
    .filter((name) => name.endsWith(".md"))
    .sort()
    .slice(0, mostFiles)
    .map((file) => ({ name: file.slice(0, -3).split(sep).join(":"), path: join(folder, file), whose }))
    .filter(({ name }) => /^[\w-]+(?::[\w-]+)*$/.test(name));
}

/** Undefined where no file is; a pipe in its place would keep the run from beginning. */
function contentOf(path: string): Promise<string | undefined> {
  return readRegular(path).then(String, () => undefined);
}
