import type { SimpleCommand } from "../bash/bash-reader.ts";
import type { CalledProgram, CommandReading } from "../bash/called-programs.ts";
import { programName, unwrap } from "../bash/wrappers.ts";

const shells = /^(?:ba|da|z|k|a|fi)?sh$/;
const interpreters = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|lua)$/;
/** What they print is not in the line: it was fetched, or written so that nobody reads it. */
const sources = /^(?:curl|wget|http|https|xh|aria2c|nc|ncat|socat|base64|base32|xxd|openssl|gunzip|zcat|rev)$/;
const fetchers = /^(?:curl|wget|http|https|xh|aria2c)$/;

/** Why a program would run code that a stranger wrote and nobody has seen: `curl … | bash` in all its forms. */
export function codeFromElsewhere(program: CalledProgram, reading: CommandReading): string | undefined {
  const { name, args, command } = program;
  if (isDownloaded(program, reading)) return `${name} runs what was fetched`;
  const isShell = shells.test(name) || name === "source" || name === ".";
  if (!isShell && name !== "eval" && !interpreters.test(name)) return undefined;
  const texts = args.map((arg) => arg.text);
  if (command.pipes?.some((one) => prints(one, sources)) && isShell) return `${name} runs what is fetched`;
  const isText = name === "eval" || texts.some((text) => /^-[a-z]*c$/.test(text));
  if (isText && args.some((arg) => !arg.sure) && reading.commands.some((one) => prints(one, fetchers)))
    return `${name} runs what is fetched`;
  const readsInput = texts.every((text) => /^-(?:s|-)?$|^-[a-bd-lo-zA-Z]+$/.test(text)) && !texts.includes("-n");
  const isFed = command.stdin !== undefined && "commands" in command.stdin;
  if (readsInput && isFed && inputsOf(command).some((one) => prints(one, sources)))
    return `${name} runs what is fetched`;
  return undefined;
}

/** Of a pipe all that stands in front of it. */
function inputsOf({ stdin }: SimpleCommand, depth = 0): SimpleCommand[] {
  if (stdin === undefined || !("commands" in stdin) || depth > 16) return [];
  return [...stdin.commands, ...stdin.commands.flatMap((one) => inputsOf(one, depth + 1))];
}

function prints({ words }: SimpleCommand, names: RegExp): boolean {
  return unwrap(words).some(({ words: [first] }) => first !== undefined && names.test(programName(first)));
}

/** `curl -o x …; sh x`, or called by its path. */
function isDownloaded({ name, args, command }: CalledProgram, { programs }: CommandReading): boolean {
  const runs = shells.test(name) || interpreters.test(name) || name === "source" || name === ".";
  const called = command.words[0]?.text.includes("/") ? command.words[0].text : undefined;
  const names = [...(runs ? args.map((arg) => arg.text) : []), ...(called === undefined ? [] : [called])];
  if (names.length === 0) return false;
  const saved = programs.filter((one) => fetchers.test(one.name)).flatMap(savedBy);
  return saved.some((file) => names.some((one) => one.replace(/^\.\//, "") === file.replace(/^\.\//, "")));
}

function savedBy({ args, command }: CalledProgram): string[] {
  const words = args.map((arg) => arg.text);
  const byOption = words.flatMap((word, at) => {
    const attached = /^(?:--output(?:-document)?=|-[oO])(.+)$/.exec(word)?.[1];
    if (attached !== undefined) return [attached];
    return /^(?:-[a-zA-Z]*[oO]|--output|--output-document)$/.test(word) ? (words[at + 1] ?? []) : [];
  });
  return [
    ...byOption,
    ...command.redirects.filter(({ operator }) => operator.includes(">")).map(({ target }) => target.text),
  ];
}
