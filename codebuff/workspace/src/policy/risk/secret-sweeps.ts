import path from "node:path";
import { isInside } from "@muster/node";
import { globPattern } from "../../search/glob-pattern.ts";
import { listSecretFiles } from "../../search/secret-files.ts";
import type { SimpleCommand } from "../bash/bash-reader.ts";
import type { CalledProgram, CommandReading } from "../bash/called-programs.ts";
import type { ShellWord } from "../bash/shell-word.ts";
import { unwrap } from "../bash/wrappers.ts";
import type { Paths } from "./command-paths.ts";

/** Programs that show what is in the files they are given. */
const showing =
  /^(?:cat|bat|head|tail|less|more|nl|tac|rev|cut|sort|uniq|paste|strings|od|xxd|hexdump|base64|base32|grep|egrep|fgrep|rg|ag|sed|awk|gawk|jq|diff|fold|fmt|column|curl|cp|tee)$/;

/**
 * A secret file that a line reads without naming it: by searching a whole directory, by showing whatever another program
 * lists, or in a loop over a pattern. Undefined where the project has none there. Says how to leave it out.
 */
export async function sweptSecret(
  program: CalledProgram,
  reading: CommandReading,
  paths: Paths,
): Promise<string | undefined> {
  const sweep = sweepOf(program);
  if (sweep === undefined) return sweptByLoop(program, reading, paths);
  const secrets = await secretsOf(paths.project.root);
  if (secrets.length === 0) return undefined;
  const starts = await Promise.all(sweep.directories.map((word) => paths.at(word)));
  const found = secrets.find(
    (file) =>
      sweep.takes(file) &&
      starts.some((start) => start !== undefined && isInside(start.real, path.join(paths.project.root, file))),
  );
  return found === undefined ? undefined : `${found}, unless it is excluded by name`;
}

interface Sweep {
  readonly directories: readonly ShellWord[];
  /** Whether a file below them, as its path from the project, is among what is read. */
  readonly takes: (file: string) => boolean;
}

const here: ShellWord = { text: ".", sure: true };

function sweepOf(program: CalledProgram): Sweep | undefined {
  const { name, args, through } = program;
  const words = args.map((arg) => arg.text);
  if (/^[ef]?grep$/.test(name) && words.some((word) => /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$/.test(word)))
    return searching(args, grepTakes(words));
  if (name === "rg" && words.some((word) => /^--(?:hidden|no-ignore)|^-[a-zA-Z]*(?:\.|uu)/.test(word)))
    return searching(args, rgTakes(words));
  if (name === "git" && words[0] === "grep" && words.some((word) => /^--(?:no-index|no-exclude-standard)$/.test(word)))
    return { directories: [here], takes: () => true };
  if (name === "find" && words.some((word, at) => /^-exec(?:dir)?$/.test(word) && showing.test(words[at + 1] ?? "")))
    return finding(args);
  return through.includes("xargs") && showing.test(name) ? listedFor(program.command) : undefined;
}

/** The pattern comes first, then where to look. */
function searching(args: readonly ShellWord[], takes: Sweep["takes"]): Sweep {
  const hasPattern = args.some((arg) => /^-[a-zA-Z]*[ef]$|^--(?:regexp|file)/.test(arg.text));
  const operands = args.filter(
    (arg, at) => !arg.text.startsWith("-") && !/^-[a-zA-Z]*[efABCmgt]$/.test(args[at - 1]?.text ?? ""),
  );
  const directories = operands.slice(hasPattern ? 0 : 1);
  return { directories: directories.length === 0 ? [here] : directories, takes };
}

function grepTakes(words: readonly string[]): Sweep["takes"] {
  const include = valuesOf(words, /^--include=(.+)$/);
  const exclude = [...valuesOf(words, /^--exclude=(.+)$/), ...valuesOf(words, /^--exclude-dir=(.+)$/)];
  return (file) =>
    (include.length === 0 || include.some((glob) => glob(path.basename(file)))) &&
    !exclude.some((glob) => file.split("/").some((name) => glob(name)));
}

function rgTakes(words: readonly string[]): Sweep["takes"] {
  const globs = words.flatMap((word, at) => {
    const given =
      /^(?:-g|--i?glob=)(.+)$/.exec(word)?.[1] ?? (/^(?:-g|--i?glob)$/.test(word) ? words[at + 1] : undefined);
    return given === undefined ? [] : [given];
  });
  const include = globs.filter((glob) => !glob.startsWith("!")).map(globPattern);
  const exclude = globs.filter((glob) => glob.startsWith("!")).map((glob) => globPattern(glob.slice(1)));
  const hasTypes = words.some((word) => /^(?:-t|--type(?:=|$))/.test(word));
  const fits = (glob: (text: string) => boolean, file: string) => glob(file) || glob(path.basename(file));
  return (file) =>
    !hasTypes &&
    (include.length === 0 || include.some((glob) => fits(glob, file))) &&
    !exclude.some((glob) => fits(glob, file));
}

function valuesOf(words: readonly string[], option: RegExp): ((text: string) => boolean)[] {
  return words.flatMap((word) => {
    const value = option.exec(word)?.[1];
    return value === undefined ? [] : [globPattern(value)];
  });
}

/** What `find` finds, by the names it is given; `-not -name` and `! -name` leave out. */
function finding(args: readonly ShellWord[]): Sweep {
  const words = args.map((arg) => arg.text);
  const first = words.findIndex((word) => /^[-!(]/.test(word));
  const directories = args.slice(0, first < 0 ? args.length : first);
  const include: ((text: string) => boolean)[] = [];
  const exclude: ((text: string) => boolean)[] = [];
  words.forEach((word, at) => {
    if (!/^-i?(?:name|path|wholename)$/.test(word)) return;
    const isLeftOut = /^(?:!|-not)$/.test(words[at - 1] ?? "") || words.slice(at, at + 4).includes("-prune");
    (isLeftOut ? exclude : include).push(globPattern(words[at + 1] ?? ""));
  });
  const fits = (glob: (text: string) => boolean, file: string) =>
    glob(path.basename(file)) || glob(file) || glob(`./${file}`);
  return {
    directories: directories.length === 0 ? [here] : directories,
    takes: (file) =>
      (include.length === 0 || include.some((glob) => fits(glob, file))) && !exclude.some((glob) => fits(glob, file)),
  };
}

/** What the commands in front of a pipe list. */
function listedFor({ stdin }: SimpleCommand): Sweep | undefined {
  if (stdin === undefined || !("commands" in stdin)) return undefined;
  for (const { words } of stdin.commands) {
    for (const { words: inner } of unwrap(words)) {
      const [first, ...args] = inner;
      const name = first?.text.split("/").at(-1) ?? "";
      const texts = args.map((arg) => arg.text);
      if (name === "find") return finding(args);
      if (name === "ls") {
        const showsAll = texts.some((text) => /^-[a-zA-Z]*[aA]|^--(?:almost-)?all$/.test(text));
        const places = args.filter((arg) => !arg.text.startsWith("-"));
        const takes = (file: string) => showsAll || !path.basename(file).startsWith(".");
        return { directories: places.length === 0 ? [here] : places, takes };
      }
      if (
        /^fd(?:find)?$/.test(name) &&
        texts.some((text) => /^-[a-zA-Z]*[HIu]|^--(?:hidden|no-ignore|unrestricted)/.test(text))
      )
        return { directories: [here], takes: () => true };
    }
  }
  return undefined;
}

/** `for f in .e*; do cat $f; done`: the program has a word only the shell knows, and the loop a pattern that fits a secret. */
async function sweptByLoop(
  { name, args, command }: CalledProgram,
  { loopWords }: CommandReading,
  paths: Paths,
): Promise<string | undefined> {
  const isFed = args.some((arg) => !arg.sure) || command.redirects.some(({ target }) => !target.sure);
  if (loopWords.length === 0 || !isFed || !(showing.test(name) || command.redirects.length > 0)) return undefined;
  for (const word of loopWords) {
    const secret = await paths.secretMatch(word);
    if (secret !== undefined) return secret;
  }
  return undefined;
}

let listed: { readonly root: string; readonly at: number; readonly files: Promise<string[]> } | undefined;

/** One line asks for each of its programs. */
export function secretsOf(root: string): Promise<string[]> {
  if (listed?.root !== root || Date.now() - listed.at > 1_000)
    listed = { root, at: Date.now(), files: listSecretFiles(root).catch(() => []) };
  return listed.files;
}
