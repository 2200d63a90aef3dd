import { readShell, type ShellReading, type ShellWord, type SimpleCommand } from "./shell-words.ts";

export interface CalledProgram {
  /** Without its directory. */
  readonly name: string;
  readonly args: readonly ShellWord[];
  readonly command: SimpleCommand;
  /** Wrappers in front of it, such as sudo or xargs. */
  readonly through: readonly string[];
}

export interface CommandReading {
  readonly programs: readonly CalledProgram[];
  /** Redirections of commands, also of those without a program. */
  readonly commands: readonly SimpleCommand[];
  /** False when some part can only be known by running it. */
  readonly complete: boolean;
}

/** How many words after its own flags a wrapper takes before the command. */
const wrappers: Readonly<Record<string, { readonly words: number; readonly valued: RegExp }>> = {
  sudo: { words: 0, valued: /^-[ugChprtT]$/ },
  doas: { words: 0, valued: /^-[uC]$/ },
  env: { words: 0, valued: /^-[uCS]$/ },
  nohup: { words: 0, valued: /^$/ },
  nice: { words: 0, valued: /^-n$/ },
  ionice: { words: 0, valued: /^-[cnp]$/ },
  setsid: { words: 0, valued: /^$/ },
  stdbuf: { words: 0, valued: /^-[ioe]$/ },
  command: { words: 0, valued: /^$/ },
  builtin: { words: 0, valued: /^$/ },
  exec: { words: 0, valued: /^-a$/ },
  time: { words: 0, valued: /^-[fo]$/ },
  timeout: { words: 1, valued: /^-[ks]$/ },
  watch: { words: 0, valued: /^-n$/ },
  xargs: { words: 0, valued: /^-[aEeIiLlnPsd]$/ },
};
const shells = new Set(["sh", "bash", "zsh", "dash", "ksh", "fish"]);
const assignment = /^[A-Za-z_]\w*\+?=/;

/** Follows wrappers, `sh -c` and `eval` down to the programs that are really called. */
export function readCommand(text: string, depth = 0): CommandReading {
  const reading: ShellReading = readShell(text);
  const programs: CalledProgram[] = [];
  const commands: SimpleCommand[] = [...reading.commands];
  let complete = reading.complete && depth < 8;
  for (const command of reading.commands) {
    const program = unwrap(command);
    if (program === undefined) continue;
    programs.push(program);
    const inner = innerText(program);
    if (inner === undefined) continue;
    const nested = depth < 8 ? readCommand(inner.text, depth + 1) : undefined;
    complete &&= inner.sure && (nested?.complete ?? false);
    programs.push(...(nested?.programs ?? []));
    commands.push(...(nested?.commands ?? []));
  }
  return { programs, commands, complete };
}

function unwrap(command: SimpleCommand): CalledProgram | undefined {
  const words = command.words.slice();
  const through: string[] = [];
  for (;;) {
    while (words[0] !== undefined && assignment.test(words[0].text)) words.shift();
    const first = words.shift();
    if (first === undefined) return undefined;
    const name = first.sure ? (first.text.split("/").at(-1) ?? "") : "";
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
    if (wrapper === undefined) return { name, args: words, command, through };
    through.push(name);
    while (words[0]?.text.startsWith("-")) {
      const flag = words.shift()?.text ?? "";
      if (flag === "--") break;
      if (wrapper.valued.test(flag)) words.shift();
    }
    if (name === "env") while (words[0] !== undefined && assignment.test(words[0].text)) words.shift();
    words.splice(0, wrapper.words);
    if (words.length === 0) return { name, args: [], command, through: through.slice(0, -1) };
  }
}

/** The command text a program will run itself. */
function innerText(program: CalledProgram): ShellWord | undefined {
  const { name, args } = program;
  if (name === "eval") return joined(args, (word) => word.text);
  if (name === "trap") return args[0];
  if (name === "alias") return joined(args, (word) => word.text.slice(word.text.indexOf("=") + 1));
  if (name === "find") return executed(args);
  if (!shells.has(name)) return undefined;
  const flag = args.findIndex((arg) => /^-[a-z]*c$/.test(arg.text));
  if (flag >= 0) return args[flag + 1];
  const here = program.command.hereText;
  return here === undefined ? undefined : { text: here, sure: true };
}

function joined(words: readonly ShellWord[], write: (word: ShellWord) => string): ShellWord {
  return { text: words.map(write).join(" "), sure: words.every((word) => word.sure) };
}

/** What `find … -exec` calls, up to its end mark; the files it finds are judged by where it looks. */
function executed(args: readonly ShellWord[]): ShellWord | undefined {
  const at = args.findIndex((arg) => /^-(?:exec|execdir|ok|okdir)$/.test(arg.text));
  if (at < 0) return undefined;
  const after = args.slice(at + 1);
  const end = after.findIndex((arg) => arg.text === ";" || arg.text === "+");
  const words = (end < 0 ? after : after.slice(0, end)).filter((word) => word.text !== "{}");
  return joined(words, (word) => `'${word.text.replaceAll("'", "'\\''")}'`);
}
