import { access, cp, mkdir, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { ImportError, type Imported } from "./refusal.ts";
import { folderName, writeTask } from "./write-task.ts";

/** The first form has everything in task.yaml. */
const Yaml = z.looseObject({
  instruction: z.string().min(1),
  difficulty: z.string().optional(),
  tags: z.array(z.string()).optional(),
  max_agent_timeout_sec: z.number().positive().optional(),
  max_test_timeout_sec: z.number().positive().optional(),
});

/** The present form: task.toml beside instruction.md. */
const Toml = z.looseObject({
  metadata: z.looseObject({ difficulty: z.string().optional(), tags: z.array(z.string()).optional() }).optional(),
  agent: z.looseObject({ timeout_sec: z.number().positive().optional() }).optional(),
  verifier: z.looseObject({ timeout_sec: z.number().positive().optional() }).optional(),
});

interface Read {
  readonly instruction: string;
  readonly tags: readonly string[];
  readonly agentSeconds: number | undefined;
  readonly checkSeconds: number | undefined;
}

/** Folders of Terminal-Bench, of either form: one task, or a folder of them. */
export async function importTerminalBench(from: string, into: string): Promise<Imported[]> {
  const names = await readdir(from);
  const isTask = names.includes("task.yaml") || names.includes("task.toml");
  const folders = isTask ? [from] : names.map((name) => join(from, name));
  const imported: Imported[] = [];
  for (const folder of folders) {
    const read = await readTask(folder);
    if (read !== undefined) imported.push(await importTask(folder, read, into));
  }
  if (imported.length === 0) throw new ImportError(`${from} holds no task.yaml and no task.toml`);
  return imported;
}

async function readTask(folder: string): Promise<Read | undefined> {
  const yaml = await textOf(join(folder, "task.yaml"));
  if (yaml !== undefined) {
    const {
      instruction,
      tags = [],
      max_agent_timeout_sec,
      max_test_timeout_sec,
    } = known(Yaml, parseYaml(yaml), folder);
    return { instruction, tags, agentSeconds: max_agent_timeout_sec, checkSeconds: max_test_timeout_sec };
  }
  const toml = await textOf(join(folder, "task.toml"));
  if (toml === undefined) return undefined;
  const { metadata, agent, verifier } = known(Toml, parseToml(toml), folder);
  const instruction = await textOf(join(folder, "instruction.md"));
  if (instruction === undefined) throw new ImportError(`${folder} has a task.toml and no instruction.md`);
  return {
    instruction,
    tags: metadata?.tags ?? [],
    agentSeconds: agent?.timeout_sec,
    checkSeconds: verifier?.timeout_sec,
  };
}

function known<Schema extends z.ZodType>(schema: Schema, value: unknown, folder: string): z.infer<Schema> {
  const read = schema.safeParse(value);
  if (!read.success) throw new ImportError(`${folder}: ${z.prettifyError(read.error)}`);
  return read.data;
}

async function importTask(from: string, read: Read, into: string): Promise<Imported> {
  const id = folderName(basename(from));
  const folder = join(into, id);
  const tests = await textOf(join(from, "tests", "test.sh"));
  const solution = (await textOf(join(from, "solution", "solve.sh"))) ?? (await textOf(join(from, "solution.sh")));
  await writeTask(folder, {
    settings: {
      title: id,
      tags: ["terminal-bench", ...read.tags],
      ...(read.agentSeconds === undefined ? {} : { limits: { seconds: read.agentSeconds } }),
      ...(read.checkSeconds === undefined ? {} : { check: { seconds: read.checkSeconds } }),
    },
    files: {
      "instruction.md": read.instruction,
      "tests/check.sh": checkScript,
      ...(solution === undefined ? {} : { "solution/solve.sh": solution }),
    },
  });
  await mkdir(join(folder, "start"));
  if (await isThere(join(from, "tests")))
    await cp(join(from, "tests"), join(folder, "tests", "original"), { recursive: true });
  return { id, folder, cannotRun: await reasonsAgainst(from, { tests, solution }) };
}

/** Nearly every task stands on an image of its own. */
async function reasonsAgainst(
  from: string,
  { tests, solution }: { tests: string | undefined; solution: string | undefined },
): Promise<string[]> {
  const dockerfiles = [
    "Dockerfile",
    "environment/Dockerfile",
    "docker-compose.yaml",
    "environment/docker-compose.yaml",
  ];
  const found: string[] = [];
  for (const name of dockerfiles) if (await isThere(join(from, name))) found.push(name);
  return [
    ...(found.length === 0 ? [] : [`it needs a container: ${found.join(", ")}`]),
    ...(tests === undefined ? ["it has no tests/test.sh: its tests are started by its own harness"] : []),
    ...(tests !== undefined && /\/logs\/verifier|\/tests\/|\/app\//.test(tests)
      ? ["its tests name absolute paths of its container"]
      : []),
    ...(solution === undefined ? ["it has no solution, so nothing shows that it can be solved"] : []),
  ];
}

const checkScript = `[ -f original/test.sh ] || fail "the task has no tests/test.sh"
mkdir -p "$WORK/.muster-tests" && cp -r original/. "$WORK/.muster-tests/" && "$TRY" 'bash .muster-tests/test.sh'
`;

const textOf = (file: string) => readFile(file, "utf8").catch(() => undefined);
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
