import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FileChangeHook } from "@muster/codebuff-protocol";
import { PolicyRule } from "@muster/codebuff-workspace";
import { type ParseError, parse as parseJsonc, printParseErrorCode } from "jsonc-parser";
import { z } from "zod";
import type { Trust } from "./trust.ts";

export const StartupProcess = z.object({
  name: z.string().min(1),
  command: z.string().min(1),
  cwd: z.string().optional(),
  enabled: z.boolean().default(true),
  stdoutFile: z.string().optional(),
  stderrFile: z.string().optional(),
});
export type StartupProcess = z.infer<typeof StartupProcess>;

const ProjectConfig = z.looseObject({
  startupProcesses: z.array(StartupProcess).default([]),
  fileChangeHooks: z.array(FileChangeHook).default([]),
  maxAgentSteps: z.int().min(1).optional(),
  baseAgent: z.string().min(1).optional(),
  spawnableAgents: z.array(z.string()).optional(),
  permissions: z.object({ rules: z.array(PolicyRule).default([]) }).optional(),
});
export type ProjectConfig = z.infer<typeof ProjectConfig>;

const nothing: ProjectConfig = ProjectConfig.parse({});

/** `codebuff.json` or `codebuff.jsonc`. What it would run, and rules that would allow more, need the person's acceptance. */
export async function readProjectConfig({
  cwd,
  trust,
  warn,
}: {
  cwd: string;
  trust: Trust;
  warn: (message: string) => void;
}): Promise<ProjectConfig> {
  for (const name of ["codebuff.json", "codebuff.jsonc"]) {
    const path = join(cwd, name);
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const config = checkConfig(path, text, warn);
    if (config === undefined) return nothing;
    const { startupProcesses, fileChangeHooks, permissions } = config;
    const isHarmless = startupProcesses.length === 0 && fileChangeHooks.length === 0 && permissions === undefined;
    const content = JSON.stringify({ startupProcesses, fileChangeHooks, permissions }, null, 2);
    if (isHarmless || (await trust.accepts({ kind: "project config", path, content }))) return config;
    warn(`${path}: its commands and permissions are not used: they have not been accepted yet`);
    return { ...config, startupProcesses: [], fileChangeHooks: [], permissions: undefined };
  }
  return nothing;
}

function checkConfig(path: string, text: string, warn: (message: string) => void): ProjectConfig | undefined {
  const errors: ParseError[] = [];
  const parsed: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    warn(`${path}, line ${line}: ${printParseErrorCode(error.error)}`);
    return undefined;
  }
  const checked = ProjectConfig.safeParse(parsed);
  if (checked.success) return checked.data;
  warn(`${path}: ${z.prettifyError(checked.error).replaceAll("\n", " ")}`);
  return undefined;
}
