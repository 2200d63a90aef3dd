import { secrecyOf } from "../../files/access/secrets.ts";
import { loadBashReader } from "../bash/bash-reader.ts";
import { type CalledProgram, type CommandReading, readCommand } from "../bash/called-programs.ts";
import { keyOf, lineOf } from "../bash/command-parts.ts";
import type { ShellWord } from "../bash/shell-word.ts";
import { isNetworkFile } from "../read-only/read-only-commands.ts";
import { type CommandPlace, isHarmlessDevice, Paths } from "./command-paths.ts";
import { dangerousPrograms } from "./dangerous-programs.ts";
import { codeFromElsewhere } from "./fetched-code.ts";
import { dangersOfNetwork } from "./outgoing.ts";
import { sweptSecret } from "./secret-sweeps.ts";
import { secretInCode } from "./secrets-in-code.ts";

/**
 * `destructive` cannot be taken back by undo; `outside` touches what is not the project; `secret` names a secret file; `sends`
 * carries something to others, `fetches` brings words of others in: both count only together.
 */
export type Danger = "outside" | "destructive" | "secret" | "sends" | "fetches";

export interface CommandRisk {
  readonly danger: Danger;
  readonly detail: string;
  /** The command of the line it is about, or the redirection. */
  readonly part: string;
  /** The file is not named: in a sandbox it would be empty, and nothing is asked. */
  readonly swept?: true;
  /** It is where the command runs that leaves the project: no rule about commands covers that. */
  readonly here?: true;
  /** What an `always` is remembered by: the program and subcommand, or the part itself where something can be lost. */
  readonly key: string;
}

/** What a shell command may do beyond the project. An empty list means: nothing that we can see. */
export async function commandRisks(text: string, place: CommandPlace): Promise<CommandRisk[]> {
  return risksOf(readCommand(text, await loadBashReader()), place);
}

export async function risksOf(reading: CommandReading, place: CommandPlace): Promise<CommandRisk[]> {
  const { text } = reading;
  const risks: CommandRisk[] = [];
  if (/:\s*\(\s*\)\s*\{[^}]*:\s*\|\s*:/.test(text))
    risks.push({ danger: "destructive", detail: "a fork bomb", part: text, key: text });
  if (!reading.complete)
    risks.push({
      danger: "outside",
      detail: "a command that cannot be read without running it",
      part: text,
      key: text,
    });
  const paths = new Paths(place);
  for (const program of reading.programs) {
    const part = lineOf(program);
    for (const risk of await programRisks(program, paths)) {
      risks.push({ ...risk, part, key: risk.danger === "outside" ? keyOf(program) : part });
    }
    const code = codeFromElsewhere(program, reading);
    if (code !== undefined) risks.push({ danger: "destructive", detail: code, part, key: part });
    for (const danger of dangersOfNetwork(program))
      risks.push({ danger, detail: part, part, key: `${danger} ${keyOf(program)}` });
    const swept = await sweptSecret(program, reading, paths);
    if (swept !== undefined) risks.push({ danger: "secret", detail: swept, part, key: part, swept: true });
    const read = await secretInCode(program, paths);
    if (read !== undefined) risks.push({ danger: "secret", detail: read, part, key: part, swept: true });
    if (program.name === "cd" || program.name === "pushd")
      paths.enter(program.args.find((arg) => !arg.text.startsWith("-")));
  }
  for (const { redirects } of reading.commands) {
    for (const { operator, target } of redirects) {
      for (const risk of await redirectRisks(operator, target, paths)) {
        const part = `${operator} ${target.text}`;
        risks.push({ ...risk, part, key: part });
      }
    }
  }
  return [...new Map(risks.map((risk) => [`${risk.danger}\0${risk.detail}\0${risk.part}`, risk])).values()];
}

type Found = Omit<CommandRisk, "part" | "key" | "swept" | "here">;

async function programRisks(program: CalledProgram, paths: Paths): Promise<Found[]> {
  const risks: Found[] = [];
  const privileged = program.through.find((name) => name === "sudo" || name === "doas");
  if (privileged !== undefined) risks.push({ danger: "outside", detail: `${privileged} ${program.name}` });
  const beyond = unreadablePart(program);
  if (beyond !== undefined) risks.push({ danger: "outside", detail: beyond });
  const pattern = firstPattern(program);
  for (const [at, arg] of program.args.entries()) {
    if (arg === pattern || namesOnly(program, at)) continue;
    for (const word of pathsIn(arg)) {
      const named = await paths.named(word);
      if (named !== undefined && !named.inside) risks.push({ danger: "outside", detail: named.path });
      const secret =
        named !== undefined && secrecyOf(named.path) === "secret" ? named.path : await paths.secretMatch(word);
      if (secret !== undefined) risks.push({ danger: "secret", detail: secret });
    }
  }
  if (program.name === "" && risks.some((risk) => risk.detail.startsWith("/"))) {
    risks.push({ danger: "destructive", detail: "an unknown program outside the project" });
  }
  if (program.name === "ps" && program.args.some((arg) => /^[a-z]*e[a-z]*$/i.test(arg.text)))
    risks.push({ danger: "secret", detail: "the environment of every process" });
  const family = program.name.replace(/^mkfs\..+$/, "mkfs");
  const isAsked = program.args.length === 1 && /^--(?:help|version)$/.test(program.args[0]?.text ?? "");
  const look = !isAsked && Object.hasOwn(dangerousPrograms, family) ? dangerousPrograms[family] : undefined;
  const detail = look === undefined ? undefined : await look(program, paths);
  if (detail !== undefined) risks.push({ danger: "destructive", detail });
  return risks;
}

/** Programs whose effect is not in their words: other machines, other users' settings, code of another language. */
function unreadablePart({ name, args, command }: CalledProgram): string | undefined {
  if (name === "") return "a program named by a variable";
  if (/^(?:ssh|scp|sftp)$/.test(name)) return `${name} to another machine`;
  const words = args.map((arg) => arg.text);
  if (name === "git" && words.includes("--global")) return "git's settings of the user";
  const code = words[words.findIndex((word) => /^-[a-zA-Z]*[ce]$|^--eval$/.test(word)) + 1] ?? "";
  const isInterpreter = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php)$/.test(name);
  if (isInterpreter && args.length === 0 && command.stdin !== undefined) return `code piped into ${name}`;
  return isInterpreter && deletingCode.test(code) ? `${name} code that deletes files or runs programs` : undefined;
}

const deletingCode =
  /rmtree|rmSync|rmdir|unlink|removedirs|os\.(?:remove|system|popen)|subprocess|child_process|system\s*\(|rm\s+-|rm_rf/;

async function redirectRisks(operator: string, target: ShellWord, paths: Paths): Promise<Found[]> {
  if (/^(?:\d+|-)$/.test(target.text) && operator.includes("&")) return [];
  if (isNetworkFile(target.text)) {
    const detail = `a connection to ${target.text}`;
    return (["outside", "sends", "fetches"] as const).map((danger) => ({ danger, detail }));
  }
  if (/^\/dev\/(?:sd|nvme|hd|vd|disk|mmcblk)/.test(target.text))
    return [{ danger: "destructive", detail: target.text }];
  const matched = await paths.secretMatch(target);
  if (matched !== undefined) return [{ danger: "secret", detail: matched }];
  const named = await paths.at(target);
  if (named === undefined || isHarmlessDevice(named.real)) return [];
  if (secrecyOf(named.path) === "secret") return [{ danger: "secret", detail: named.path }];
  if (named.inside) return [];
  const overwrites = operator === ">" || operator === ">|" || operator === "&>";
  return [{ danger: overwrites ? "destructive" : "outside", detail: `${operator} ${named.path}` }];
}

/** `f=@.env` and `@.env` make curl and others send that file. */
function pathsIn(arg: ShellWord): ShellWord[] {
  const attached = /^(?:[^=@<]*=)?[@<]([^;]+)/s.exec(arg.text)?.[1];
  return attached === undefined ? [arg] : [arg, { ...arg, text: attached }];
}

/** Words that say which names are looked for or left out, and open nothing. */
function namesOnly({ name, args }: CalledProgram, at: number): boolean {
  const text = args[at]?.text ?? "";
  if (/^(?:!|--(?:exclude|ignore)[\w-]*=)/.test(text) || /^(?::|echo|printf|true|type|which|man|help)$/.test(name))
    return true;
  if (
    /^(?:docker|podman)$/.test(name) &&
    (/^--(?:volume|mount)=|^-v./.test(text) || /^(?:-v|--volume|--mount)$/.test(args[at - 1]?.text ?? ""))
  )
    return true;
  return name === "find" && /^-i?(?:name|path|wholename)$/.test(args[at - 1]?.text ?? "");
}

/** grep, sed and awk take a pattern first; `/api/` there is no path. */
function firstPattern(program: CalledProgram): ShellWord | undefined {
  if (!/^(?:grep|egrep|fgrep|rg|ag|sed|awk|gawk|perl|jq)$/.test(program.name)) return undefined;
  return program.args.find((arg) => !arg.text.startsWith("-"));
}
