import { quoteForShell } from "@muster/core";
import type { SimpleCommand } from "./bash-reader.ts";
import type { ShellWord } from "./shell-word.ts";

/** A program with its words, as far as these rules look at it. */
interface Call {
  readonly name: string;
  readonly args: readonly ShellWord[];
  readonly command: SimpleCommand;
  readonly through: readonly string[];
}
type Texts = (call: Call) => readonly (ShellWord | undefined)[];

const shell: Texts = (call) => [scriptOfShell(call)];
const afterOption =
  (option: RegExp): Texts =>
  ({ args }) =>
    args.flatMap((arg, index) => {
      const attached = /^--[\w-]+=(.*)$/s.exec(arg.text);
      if (attached !== null && option.test(arg.text.slice(0, arg.text.indexOf("=")))) {
        return [{ text: attached[1] ?? "", sure: arg.sure }];
      }
      return option.test(arg.text) ? [args[index + 1]] : [];
    });
/** A program in another language: its texts are commands only where it can start one, or hides that it does. */
const literals =
  (starts: RegExp): Texts =>
  ({ args }) =>
    args
      .filter((arg) => starts.test(arg.text))
      .flatMap((arg) => stringsIn(arg.text))
      .filter((text) => /[a-z]/i.test(text))
      .map((text) => ({ text, sure: true }));

const inNode = literals(
  /child_process|process\.binding|\b(?:exec|spawn)\w*Sync\b|\bspawn\b|\beval\b|\bFunction\s*\(|\bimport\s*\(|\brequire\s*\(\s*[^"'\s]|fromCharCode|\batob\b|["']\s*\+\s*["']/,
);
const inPython = literals(
  /\b(?:system|popen\w*|exec\w*|spawn\w*|fork\w*|subprocess|pty|pexpect|getoutput|getstatusoutput|eval|__import__|importlib|getattr|globals|b64decode|fromhex|unhexlify|ctypes)\b|(?<!re\.)\bcompile\s*\(|["']\s*\+\s*["']/,
);
const inScripts = literals(
  /\b(?:system|exec\w*|spawn\w*|fork|popen\w*|passthru|shell_exec|proc_open|pcntl_exec|qx|syscall|Open3|eval|getline|open|send|public_send|constant|base64_decode|unpack|chr)\b|`|\|\s*["']|["']\s*\||["']\s*[+.]\s*["']/,
);

/** Program → the texts among its words or its input that it will run as commands. */
const runners: Readonly<Record<string, Texts>> = {
  sh: shell,
  bash: shell,
  zsh: shell,
  dash: shell,
  ksh: shell,
  ash: shell,
  fish: shell,
  at: ({ command }) => [inputOf(command)],
  batch: ({ command }) => [inputOf(command)],
  eval: ({ args }) => [joinWords(args)],
  source: sourcedFiles,
  ".": sourcedFiles,
  trap: ({ args }) => [args.find((arg) => !/^-[lp]$|^--$/.test(arg.text))],
  alias: ({ args }) => args.map((arg) => ({ text: arg.text.slice(arg.text.indexOf("=") + 1), sure: arg.sure })),
  find: ({ args }) => executedBy(args, /^-(?:exec|execdir|ok|okdir)$/),
  fd: ({ args }) => executedBy(args, /^(?:-x|-X|--exec|--exec-batch)$/),
  env: afterOption(/^(?:-S|--split-string)$|^-[iv0]*S$/),
  su: afterOption(/^(?:-c|--command)$/),
  sg: afterOption(/^-c$/),
  runuser: afterOption(/^(?:-c|--command)$/),
  script: afterOption(/^(?:-[a-z]*c|--command)$/),
  flock: afterOption(/^(?:-c|--command)$/),
  npx: afterOption(/^(?:-c|--call)$/),
  mapfile: afterOption(/^-C$/),
  readarray: afterOption(/^-C$/),
  complete: afterOption(/^-C$/),
  compgen: afterOption(/^-C$/),
  tar: tarRuns,
  git: gitRuns,
  awk: inScripts,
  gawk: inScripts,
  mawk: inScripts,
  python: inPython,
  python3: inPython,
  perl: inScripts,
  ruby: inScripts,
  node: inNode,
  php: inScripts,
  sed: ({ args }) =>
    args.flatMap(({ text, sure }) =>
      [...text.matchAll(/(?:^|[;{}\d$/\n])\s*e\s+([^;\n]+)/g)].map((found) => ({ text: found[1] ?? "", sure })),
    ),
  vi: bang,
  vim: bang,
  nvim: bang,
  ex: bang,
};

/** Names of variables that hold a command. */
const commandVariable =
  /^(?:PROMPT_COMMAND|PS[0-4]|BASH_ENV|ENV|(?:GIT_|MAN)?PAGER|(?:GIT_)?(?:EDITOR|SSH_COMMAND|EXTERNAL_DIFF)|VISUAL|BROWSER|LESSOPEN)$/;

export function innerCommands(call: Call): ShellWord[] {
  const texts = Object.hasOwn(runners, call.name) ? runners[call.name] : undefined;
  // `sudo -s`, `xargs` and the like without a command have been followed; `env -S` keeps its text in an option.
  const byWrapper = call.through.includes("env") || call.name === "env" ? splitString(call.command) : [];
  return [...(texts?.(call) ?? []), ...byWrapper].filter((word) => word !== undefined);
}

export function commandsInVariables(command: SimpleCommand): ShellWord[] {
  const declared = command.words.flatMap(({ text, sure }) => {
    const found = /^(\w+)\+?=(.*)$/s.exec(text);
    return found === null ? [] : [{ name: found[1] ?? "", value: { text: found[2] ?? "", sure } }];
  });
  return [...command.assignments, ...declared]
    .filter(({ name }) => commandVariable.test(name))
    .map(({ value }) => value);
}

/** What a shell will run: the text after -c, its input, or the output of the pipe it is given as a script. */
function scriptOfShell({ args, command }: Call): ShellWord | undefined {
  let at = 0;
  let takesText = false;
  let readsInput = false;
  for (; /^[-+]./.test(args[at]?.text ?? ""); at += 1) {
    const flag = args[at]?.text ?? "";
    if (flag === "--") {
      at += 1;
      break;
    }
    if (/^-[A-Za-z]*c[A-Za-z]*$/.test(flag) || flag === "--command") takesText = true;
    if (/^-[A-Za-z]*s[A-Za-z]*$/.test(flag)) readsInput = true;
    if (/^[-+][A-Za-z]*[oO]$|^--(?:rcfile|init-file)$/.test(flag)) at += 1;
  }
  const operand = args[at];
  if (takesText) return operand;
  if (operand === undefined || operand.text === "-" || readsInput || /^\/dev\/(?:stdin|fd\/0)$/.test(operand.text))
    return inputOf(command);
  return /^[<>]\(/.test(operand.text) ? outputOf(command.pipes ?? []) : undefined;
}

function sourcedFiles({ args, command }: Call): (ShellWord | undefined)[] {
  const file = args[0]?.text ?? "";
  if (/^<\(/.test(file)) return [outputOf(command.pipes ?? [])];
  return /^\/dev\/(?:stdin|fd\/0)$/.test(file) ? [inputOf(command)] : [];
}

function inputOf({ stdin }: SimpleCommand): ShellWord | undefined {
  if (stdin === undefined) return undefined;
  return "text" in stdin ? stdin.text : outputOf(stdin.commands);
}

/** What commands print, where it stands in their words. */
function outputOf(commands: readonly SimpleCommand[]): ShellWord {
  const pieces = commands.map((command): ShellWord => {
    const [name, ...args] = command.words;
    if (name?.text === "echo") return joinWords(args.filter((arg) => !/^-[neE]+$/.test(arg.text)));
    if (name?.text === "printf") return printedWord(args);
    if (name?.text === "cat" && args.length === 0) return inputOf(command) ?? { text: "", sure: false };
    return { text: "", sure: false };
  });
  return {
    text: pieces.map((piece) => piece.text).join("\n"),
    sure: pieces.length > 0 && pieces.every((piece) => piece.sure),
  };
}

function printedWord(args: readonly ShellWord[]): ShellWord {
  const all = joinWords(args);
  return { text: all.text.replaceAll("\\n", "\n").replaceAll(/%[sb]/g, " "), sure: all.sure };
}

function joinWords(words: readonly ShellWord[]): ShellWord {
  return {
    text: words.map((word) => word.text).join(" "),
    sure: words.every((word) => word.sure && word.glob !== true),
  };
}

function quotedLine(words: readonly ShellWord[]): ShellWord {
  return {
    text: words.map((word) => quoteForShell(word.text)).join(" "),
    sure: words.every((word) => word.sure),
  };
}

/** What `find … -exec` calls, up to its end mark; the files it finds are judged by where it looks. */
function executedBy(args: readonly ShellWord[], option: RegExp): ShellWord[] {
  return args.flatMap((arg, at) => {
    if (!option.test(arg.text)) return [];
    const after = args.slice(at + 1);
    const end = after.findIndex((word) => word.text === ";" || word.text === "+");
    return [quotedLine((end < 0 ? after : after.slice(0, end)).filter((word) => word.text !== "{}"))];
  });
}

function splitString(command: SimpleCommand): ShellWord[] {
  return command.words.flatMap((word, at) => {
    if (/^(?:-[iv0]*S|--split-string)$/.test(word.text)) return command.words[at + 1] ?? [];
    const attached = /^(?:-[iv0]*S|--split-string=)(.+)$/s.exec(word.text)?.[1];
    return attached === undefined ? [] : [{ text: attached, sure: word.sure }];
  });
}

function tarRuns({ args }: Call): ShellWord[] {
  return args.flatMap((arg, at) => {
    const attached =
      /^--(?:checkpoint-action=exec|to-command|use-compress-program|rsh-command|info-script|new-volume-script)=(.+)$/s.exec(
        arg.text,
      );
    if (attached !== null) return [{ text: attached[1] ?? "", sure: arg.sure }];
    const next = /^(?:-I|-F|--to-command|--use-compress-program)$/.test(arg.text) ? args[at + 1] : undefined;
    return next === undefined ? [] : [{ text: next.text.replace(/^exec=/, ""), sure: next.sure }];
  });
}

const gitCommandKey =
  /(?:^|\.)(?:alias\..*|.*(?:pager|editor|command|external|textconv|fsmonitor|program|helper|clean|smudge|process|tool.*cmd))=/i;

function gitRuns({ args }: Call): ShellWord[] {
  const set = args.flatMap((arg, at) => {
    const pair = args[at + 1];
    if (arg.text !== "-c" || pair === undefined || !gitCommandKey.test(pair.text)) return [];
    return [{ text: pair.text.slice(pair.text.indexOf("=") + 1).replace(/^!/, ""), sure: pair.sure }];
  });
  const words = args.map((arg) => arg.text);
  const foreach = words[0] === "submodule" ? words.indexOf("foreach") : -1;
  const run = words[0] === "bisect" && words[1] === "run" ? 1 : -1;
  const rest = foreach > 0 ? [joinWords(args.slice(foreach + 1).filter((arg) => arg.text !== "--recursive"))] : [];
  const steps =
    words[0] === "rebase" ? afterOption(/^(?:-x|--exec)$/)({ args } as Call).filter((word) => word !== undefined) : [];
  return [...set, ...rest, ...(run > 0 ? [quotedLine(args.slice(2))] : []), ...steps];
}

function bang({ args }: Call): ShellWord[] {
  return args.flatMap(({ text, sure }) => {
    const at = text.indexOf("!");
    return at < 0 ? [] : [{ text: text.slice(at + 1), sure }];
  });
}

/** The quoted texts in a program of another language: one of them may be given to a shell. */
function stringsIn(code: string): string[] {
  return [...code.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/gs)].map((found) =>
    (found[1] ?? found[2] ?? "").replaceAll(/\\(.)/gs, "$1"),
  );
}
