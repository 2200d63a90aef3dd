import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse } from "yaml";

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly shell: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run: string;
}
interface Action {
  readonly inputs: Readonly<Record<string, { required?: boolean; default?: unknown }>>;
  readonly outputs: Readonly<Record<string, { value: string }>>;
  readonly runs: { using: string; steps: readonly Step[] };
}

export interface ActionRun {
  readonly code: number;
  readonly said: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

export interface ActionOptions {
  readonly inputs: Readonly<Record<string, string>>;
  /** RUNNER_TEMP: what the action may write to. */
  readonly temp: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the steps of a composite action as GitHub's runner does: expressions, files for paths, outputs and the summary. */
export async function runAction(file: string, { inputs, temp, env }: ActionOptions): Promise<ActionRun> {
  const action: Action = parse(readFileSync(file, "utf8"));
  if (action.runs.using !== "composite") throw new Error("Only composite actions are run here");
  const given = inputsOf(action, inputs);
  const files = {
    GITHUB_PATH: join(temp, "path"),
    GITHUB_OUTPUT: join(temp, "output"),
    GITHUB_STEP_SUMMARY: join(temp, "summary"),
  };
  await mkdir(temp, { recursive: true });
  await writeFile(files.GITHUB_STEP_SUMMARY, "");
  const github = {
    server_url: "https://github.example",
    action_repository: "owner/repository",
    action_path: dirname(file),
  };
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const contexts = { inputs: given, github, runner: { temp }, steps };
  const outputs = () =>
    Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value, contexts)]));
  let path = env.PATH ?? "";
  let said = "";
  for (const step of action.runs.steps) {
    for (const name of [files.GITHUB_PATH, files.GITHUB_OUTPUT]) await writeFile(name, "");
    const own = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(String(text), contexts)]),
    );
    const script = join(temp, "step.sh");
    await writeFile(script, fill(step.run, contexts));
    // As the runner starts `shell: bash`.
    const args = ["--noprofile", "--norc", "-eo", "pipefail", script];
    const child = spawn(step.shell, args, {
      env: { ...env, ...files, ...own, PATH: path },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    const [code] = (await once(child, "close")) as [number];
    if (step.id !== undefined) steps[step.id] = { outputs: pairsIn(files.GITHUB_OUTPUT) };
    path = [...readFileSync(files.GITHUB_PATH, "utf8").split("\n").filter(Boolean), path].join(":");
    if (code !== 0) return { code, said, outputs: outputs(), summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8") };
  }
  appendFileSync(files.GITHUB_STEP_SUMMARY, "");
  return { code: 0, said, outputs: outputs(), summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8") };
}

function inputsOf(action: Action, given: Readonly<Record<string, string>>): Record<string, string> {
  for (const name of Object.keys(given)) if (!(name in action.inputs)) throw new Error(`There is no input ${name}`);
  return Object.fromEntries(
    Object.entries(action.inputs).map(([name, { required, default: usual }]) => {
      const value = given[name] ?? usual;
      if (value === undefined) throw new Error(`The input ${name} is missing${required ? "" : " and has no default"}`);
      return [name, String(value)];
    }),
  );
}

function pairsIn(file: string): Record<string, string> {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
}

/** `${{ … }}` with what our action uses of the language: names with dots, `||`, and `format`. */
function fill(text: string, contexts: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    for (const part of splitAlternatives(expression)) {
      const value = evaluate(part, contexts);
      if (value !== "") return value;
    }
    return "";
  });
}

function splitAlternatives(expression: string): string[] {
  return expression.split("||").map((part) => part.trim());
}

function evaluate(expression: string, contexts: Readonly<Record<string, unknown>>): string {
  const [, inside] = /^format\((.*)\)$/.exec(expression) ?? [];
  if (inside !== undefined) {
    const [pattern = "", ...values] = inside.split(",").map((part) => evaluate(part.trim(), contexts));
    return pattern.replaceAll(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? "");
  }
  if (/^'.*'$/.test(expression)) return expression.slice(1, -1);
  if (!/^[\w.-]+$/.test(expression)) throw new Error(`An expression that this runner does not know: ${expression}`);
  const found = expression
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], contexts);
  return found === undefined ? "" : String(found);
}
