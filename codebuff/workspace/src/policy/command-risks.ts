import { type CalledProgram, readCommand } from "./called-programs.ts";
import { type CommandPlace, isHarmlessDevice, Paths } from "./command-paths.ts";
import { dangerousPrograms } from "./dangerous-programs.ts";
import { secrecyOf } from "./secrets.ts";
import type { ShellWord } from "./shell-words.ts";

/** `destructive` cannot be taken back by undo; `outside` touches what is not the project; `secret` names a secret file. */
export type Danger = "outside" | "destructive" | "secret";

export interface CommandRisk {
  readonly danger: Danger;
  readonly detail: string;
}

/** What a shell command may do beyond the project. An empty list means: nothing that we can see. */
export async function commandRisks(text: string, place: CommandPlace): Promise<CommandRisk[]> {
  const reading = readCommand(text);
  const risks: CommandRisk[] = [];
  if (/:\s*\(\s*\)\s*\{[^}]*:\s*\|\s*:/.test(text)) risks.push({ danger: "destructive", detail: "a fork bomb" });
  if (!reading.complete) risks.push({ danger: "outside", detail: "a command that cannot be read without running it" });
  const paths = new Paths(place);
  const before = new Map(reading.programs.map((program) => [program.command, program]));
  for (const program of reading.programs) {
    risks.push(...(await programRisks(program, paths)));
    const source = program.command.pipedFrom && before.get(program.command.pipedFrom);
    if (
      source &&
      /^(?:curl|wget)$/.test(source.name) &&
      /^(?:sh|bash|zsh|dash|python3?|node|perl|ruby)$/.test(program.name)
    ) {
      risks.push({ danger: "outside", detail: `${source.name} piped into ${program.name}` });
    }
    if (program.name === "cd" || program.name === "pushd")
      paths.enter(program.args.find((arg) => !arg.text.startsWith("-")));
  }
  for (const command of reading.commands) {
    for (const { operator, target } of command.redirects) risks.push(...(await redirectRisks(operator, target, paths)));
  }
  return [...new Map(risks.map((risk) => [risk.danger + risk.detail, risk])).values()];
}

async function programRisks(program: CalledProgram, paths: Paths): Promise<CommandRisk[]> {
  const risks: CommandRisk[] = [];
  const privileged = program.through.find((name) => name === "sudo" || name === "doas");
  if (privileged !== undefined) risks.push({ danger: "outside", detail: `${privileged} ${program.name}` });
  const beyond = beyondReading(program);
  if (beyond !== undefined) risks.push({ danger: "outside", detail: beyond });
  const pattern = firstPattern(program);
  for (const arg of program.args) {
    if (arg === pattern) continue;
    const named = await paths.named(arg);
    if (named === undefined) continue;
    if (!named.inside) risks.push({ danger: "outside", detail: named.path });
    if (secrecyOf(named.path) === "secret") risks.push({ danger: "secret", detail: named.path });
  }
  if (program.name === "" && risks.some((risk) => risk.detail.startsWith("/"))) {
    risks.push({ danger: "destructive", detail: "an unknown program outside the project" });
  }
  const family = program.name.replace(/^mkfs\..+$/, "mkfs");
  const look = Object.hasOwn(dangerousPrograms, family) ? dangerousPrograms[family] : undefined;
  const detail = look === undefined ? undefined : await look(program, paths);
  if (detail !== undefined) risks.push({ danger: "destructive", detail });
  return risks;
}

/** Programs whose effect is not in their words: other machines, other users' settings, code of another language. */
function beyondReading({ name, args }: CalledProgram): string | undefined {
  if (name === "") return "a program named by a variable";
  if (/^(?:ssh|scp|sftp)$/.test(name)) return `${name} to another machine`;
  const words = args.map((arg) => arg.text);
  if (name === "git" && words.includes("--global")) return "git's settings of the user";
  const code = words[words.findIndex((word) => /^-[a-zA-Z]*[ce]$|^--eval$/.test(word)) + 1] ?? "";
  const isInterpreter = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php)$/.test(name);
  return isInterpreter && deletingCode.test(code) ? `${name} code that deletes files or runs programs` : undefined;
}

const deletingCode =
  /rmtree|rmSync|rmdir|unlink|removedirs|os\.(?:remove|system|popen)|subprocess|child_process|system\s*\(|rm\s+-|rm_rf/;

async function redirectRisks(operator: string, target: ShellWord, paths: Paths): Promise<CommandRisk[]> {
  if (/^(?:\d+|-)$/.test(target.text) && operator.includes("&")) return [];
  if (/^\/dev\/(?:sd|nvme|hd|vd|disk|mmcblk)/.test(target.text))
    return [{ danger: "destructive", detail: target.text }];
  const named = await paths.at(target);
  if (named === undefined || isHarmlessDevice(named.real)) return [];
  if (secrecyOf(named.path) === "secret") return [{ danger: "secret", detail: named.path }];
  if (named.inside) return [];
  const overwrites = operator === ">" || operator === ">|" || operator === "&>";
  return [{ danger: overwrites ? "destructive" : "outside", detail: `${operator} ${named.path}` }];
}

/** grep, sed and awk take a pattern first; `/api/` there is no path. */
function firstPattern(program: CalledProgram): ShellWord | undefined {
  if (!/^(?:grep|egrep|fgrep|rg|ag|sed|awk|gawk|perl|jq)$/.test(program.name)) return undefined;
  return program.args.find((arg) => !arg.text.startsWith("-"));
}
