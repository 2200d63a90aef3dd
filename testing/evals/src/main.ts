import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "@muster/client";
import { messageOf } from "@muster/core";
import { Command, InvalidArgumentError, Option } from "commander";
import { type AgentPlan, type Script, scripts } from "./agents/agent-plan.ts";
import { compareResults } from "./compare/compare.ts";
import { daemonCommand } from "./daemon-command.ts";
import { ImportError, type Imported } from "./import/refusal.ts";
import { writePage } from "./results/page.ts";
import type { Settings } from "./results/result.ts";
import { openResults, ResultsError, readResults } from "./results/results-folder.ts";
import { formatComparison, formatResults } from "./results/summary.ts";
import { installAgent } from "./run/install-agent.ts";
import { runSuite } from "./run/run-suite.ts";
import { checkTask } from "./task/check-task.ts";
import { readSuite } from "./task/read-suite.ts";
import { TaskError } from "./task/read-task.ts";
import { version } from "./version.ts";
import { findWalls } from "./walls/walls.ts";

/** 0: done, and what was asked holds. 1: it does not hold, or it broke. 2: bad arguments, files or folders. */
const exitCodes = { fine: 0, doesNotHold: 1, unusable: 2 };

const shippedSuite = fileURLToPath(new URL("../suite", import.meta.url));
const interrupted = new AbortController();

interface RunFlags {
  readonly agent: AgentPlan["agent"];
  readonly model?: string;
  readonly variant?: string;
  readonly agentMode?: string;
  readonly agentOptions?: Record<string, unknown>;
  readonly systemPrompt?: string;
  readonly scripted?: Script;
  readonly seed: number;
  readonly runs: number;
  readonly width: number;
  readonly only: string[];
  readonly out?: string;
  readonly label?: string;
  readonly env: string[];
  readonly agentSource: string[];
  readonly json?: boolean;
}

const program = new Command("muster-eval")
  .description("Tasks with hidden checks, for any agent behind the daemon")
  .version(version)
  .exitOverride()
  .showHelpAfterError()
  .addHelpText(
    "after",
    `
Examples:
  muster-eval run --agent codebuff --runs 5 --out results/codebuff
  muster-eval run my-suite --agent claude --model claude-sonnet-5 --only bug-fix --out results/claude
  muster-eval compare results/codebuff results/claude
  muster-eval check my-suite`,
  );

program
  .command("run")
  .description("Let an agent work on the tasks of a suite, and check what it did")
  .argument("[suite]", "a folder of tasks, or one task; the 25 that are shipped by default", shippedSuite)
  .requiredOption("--agent <agent>", "claude, codex, opencode, codebuff, amp or mock")
  .option("--model <model>", "the model; the agent's default otherwise")
  .option("--variant <variant>", "a variant of it: low, medium, high")
  .option("--agent-mode <mode>", "a mode of the agent")
  .option("--agent-options <json>", "options of this agent alone", parseObject)
  .option("--system-prompt <text>", "what the agent is told beside its own instructions")
  .addOption(
    new Option("--scripted <kind>", "no model at all: the solution, a careless one, or now this, now that").choices(
      scripts,
    ),
  )
  .option("--seed <number>", "which runs of the flaky one are good", parseWhole, 1)
  .option("--runs <number>", "how often each task is run", parseCount, 1)
  .option("--width <number>", "how many runs at once", parseCount, 1)
  .option("--only <name>", "only this task, or the tasks with this tag (repeatable)", collect, [])
  .option("--env <name>", "a variable that the agent may see, such as a key (repeatable)", collect, [])
  .option("--agent-source <source>", "where the agent comes from, as the daemon takes it (repeatable)", collect, [])
  .option("--out <folder>", "where results are kept; the same folder again goes on where it was interrupted")
  .option("--label <text>", "what these results are called")
  .option("--json", "print each result as a line of JSON")
  .action(run);

program
  .command("compare")
  .description("Say which of two sets of results is better, and how sure that is")
  .argument("<a>", "a folder of results")
  .argument("<b>", "another one")
  .option("--json", "print the comparison as JSON")
  .action(async (a: string, b: string, { json }: { json?: boolean }) => {
    const [first, second] = await Promise.all([readResults(resolve(a)), readResults(resolve(b))]);
    const comparison = compareResults(first, second);
    if (comparison.tasks.length === 0) throw new ResultsError("The two have no task in common");
    const labels = [labelOf(first.settings.label, a), labelOf(second.settings.label, b)] as const;
    print(json ? JSON.stringify(comparison) : formatComparison(comparison, labels));
  });

program
  .command("check")
  .description("See that each task measures something: its solution passes, doing nothing fails")
  .argument("[suite]", "a folder of tasks, or one task", shippedSuite)
  .option("--only <name>", "only this task, or the tasks with this tag (repeatable)", collect, [])
  .action(async (suite: string, { only }: { only: string[] }) => {
    const walls = await findWalls();
    let faults = 0;
    for (const task of await readSuite(suite, only)) {
      const found = await checkTask(task, walls);
      faults += found.length;
      print(
        found.length === 0 ? `ok      ${task.id}` : found.map(({ fault }) => `not ok  ${task.id}: ${fault}`).join("\n"),
      );
    }
    process.exitCode = faults === 0 ? exitCodes.fine : exitCodes.doesNotHold;
  });

program
  .command("report")
  .description("Print the table of a folder of results, and write its page with the transcripts")
  .argument("<folder>", "a folder of results")
  .option("--json", "print the results as JSON lines")
  .action(async (folder: string, { json }: { json?: boolean }) => {
    const results = await readResults(resolve(folder));
    print(json ? results.runs.map((result) => JSON.stringify(result)).join("\n") : formatResults(results));
    printError(`Page: ${await keepPage(resolve(folder))}`);
  });

const importer = program.command("import").description("Write tasks of other formats as folders of ours");
importer
  .command("swe-bench")
  .argument("<file>", "rows as JSON lines or as an array")
  .argument("<folder>", "where the tasks are written")
  .option("--repositories <folder>", "clones of the repositories, named <owner>__<name>")
  .action(async (file: string, folder: string, { repositories }: { repositories?: string }) => {
    const { importSweBench } = await import("./import/swe-bench.ts");
    tellImported(await importSweBench(file, folder, repositories === undefined ? undefined : resolve(repositories)));
  });
importer
  .command("terminal-bench")
  .argument("<folder>", "a task, or a folder of tasks")
  .argument("<into>", "where the tasks are written")
  .action(async (from: string, into: string) => {
    const { importTerminalBench } = await import("./import/terminal-bench.ts");
    tellImported(await importTerminalBench(from, into));
  });

async function run(suite: string, flags: RunFlags): Promise<void> {
  const tasks = await readSuite(suite, flags.only);
  const folder = resolve(flags.out ?? (await mkdtemp(join(tmpdir(), "muster-eval-results-"))));
  const settings: Settings = {
    label:
      flags.label ??
      [flags.agent, flags.model, flags.variant, flags.scripted].filter((word) => word !== undefined).join(" "),
    agent: flags.agent,
    model: flags.model,
    variant: flags.variant,
    agentMode: flags.agentMode,
    agentOptions: flags.agentOptions,
    systemPrompt: flags.systemPrompt,
    scripted: flags.scripted,
    seed: flags.seed,
    runs: flags.runs,
    tasks: tasks.map(({ id }) => id),
  };
  const agents = join(homedir(), ".cache", "muster-eval", "agents");
  await mkdir(agents, { recursive: true });
  const env = environmentFor(flags.env);
  const [walls, daemon] = [await findWalls(), daemonCommand(process.env)];
  if (walls === undefined)
    printError("This kernel offers no walls: an agent could read the checks. Results say confined: false.");
  if (flags.agent !== "mock" && flags.agentSource.length === 0)
    await installAgent({ agent: flags.agent, agents, daemon, env, tell: printError });
  const results = await openResults(folder, JSON.parse(JSON.stringify(settings)) as Settings);
  if (results.done.length > 0) printError(`${results.done.length} runs are there already; the rest goes on.`);
  try {
    const done = await runSuite(tasks, {
      plan: { ...flags },
      walls,
      daemon,
      agents,
      sources: flags.agentSource,
      hidden: [shippedSuite, resolve(suite), folder],
      env,
      runs: flags.runs,
      width: flags.width,
      folder,
      results,
      signal: interrupted.signal,
      tell: (result, { done: count, all }) => {
        if (flags.json) print(JSON.stringify(result));
        else printError(`[${count}/${all}] ${result.task} run ${result.run}: ${result.outcome} in ${result.seconds} s`);
      },
    });
    if (!flags.json) print(formatResults({ settings, runs: done }));
  } finally {
    await results.close();
  }
  printError(`Results: ${folder}\nPage: ${await keepPage(folder)}`);
}

/** What every program needs, and what was named: a key that was not named reaches no agent. */
function environmentFor(names: readonly string[]): NodeJS.ProcessEnv {
  const missing = names.find((name) => process.env[name] === undefined);
  if (missing !== undefined) throw new InvalidArgumentError(`--env ${missing}: there is no such variable`);
  const always = ["PATH", "LANG", "TZ", "TMPDIR", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"];
  return Object.fromEntries(
    [...always, ...names].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

async function keepPage(folder: string): Promise<string> {
  const file = join(folder, "report.html");
  const out = createWriteStream(file);
  for await (const piece of writePage(await readResults(folder), folder)) {
    if (!out.write(piece)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
  return file;
}

function tellImported(imported: readonly Imported[]): void {
  for (const { id, cannotRun } of imported) {
    print(
      cannotRun.length === 0
        ? `${id}: can be run`
        : `${id}: cannot be run here\n${cannotRun.map((reason) => `  - ${reason}`).join("\n")}`,
    );
  }
  const able = imported.filter(({ cannotRun }) => cannotRun.length === 0).length;
  print(`${imported.length} imported, ${able} of them can be run here.`);
}

function labelOf(label: string, folder: string): string {
  return label === "" ? folder : label;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below, like any other text that is no object.
  }
  throw new InvalidArgumentError("it takes an object as JSON");
}

function parseCount(text: string): number {
  const value = parseWhole(text);
  if (value < 1) throw new InvalidArgumentError("it takes a whole number from 1");
  return value;
}

function parseWhole(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError("it takes a whole number");
  return value;
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}; the same command with --out goes on`)));
}
program.parseAsync().catch((error: unknown) => {
  if (error instanceof Error && "exitCode" in error) {
    process.exitCode = error.exitCode === 0 ? exitCodes.fine : exitCodes.unusable;
    if (error instanceof InvalidArgumentError) printError(`error: ${error.message}`);
    return;
  }
  printError(`error: ${messageOf(error)}`);
  const isUsers = [TaskError, ResultsError, ImportError, Failure].some((kind) => error instanceof kind);
  process.exitCode = isUsers ? exitCodes.unusable : exitCodes.doesNotHold;
});
