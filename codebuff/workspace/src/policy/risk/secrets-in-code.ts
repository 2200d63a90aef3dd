import { existsSync } from "node:fs";
import path from "node:path";
import { isInside } from "@muster/node";
import { secrecyOf } from "../../files/access/secrets.ts";
import { globPattern } from "../../search/glob-pattern.ts";
import type { CalledProgram } from "../bash/called-programs.ts";
import { type CodeText, readingsOf, textsInCode } from "./code-literals.ts";
import type { Paths } from "./command-paths.ts";
import { secretsOf } from "./secret-sweeps.ts";

const interpreters = /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|tclsh|lua[\d.]*)$/;
const takesCode = /^-[a-zA-Z]*[ceEpr]$|^--(?:eval|print)$|^eval$/;

/** Code that shows what is in a file. */
const reads =
  /\b(?:open|fopen|read(?!dir)\w*|createReadStream|loads?|fileinput|mmap|slurp|copy\w*|rename\w*|link\w*|symlink\w*|fetch|File|file_get_contents)\b|<\$?\w*>/;
/** Code that runs a line of another language. */
const runs = /\b(?:exec\w*|spawn\w*|system|popen|run|call|check_output|Popen|passthru|qx)\b|`/;
const lists = /\b(?:listdir|scandir|readdir\w*|iterdir|walk|rglob|glob\w*|opendir|Dir)\b/;

/** Words around a text that is compared, looked for or shown, and names no file that is opened. */
const compares =
  /(?:\.(?:includes|indexOf|startsWith|endsWith|startswith|endswith|has|add|push|append|test|match|count|index|find)|exists\w*|isfile|accessSync|statSync|print|puts|console\.\w+|[!=]==?|\bnot\s+in|\bin)\s*\(?\s*[rbuf]{0,2}$/i;
const isLookedFor = /^\s*(?:not\s+)?(?:in\b|[!=]==?)/;

/**
 * A secret file that code of another language in a line names, in pieces or written otherwise, or sweeps up with all of a
 * directory. What a program in a file does is not read.
 */
export async function secretInCode(program: CalledProgram, paths: Paths): Promise<string | undefined> {
  const code = codeOf(program);
  if (code === undefined || !(reads.test(code) || runs.test(code))) return undefined;
  const texts = textsInCode(code);
  const named = await namedSecret(texts, { paths, isLine: runs.test(code) });
  if (named !== undefined) return `${program.name} code that opens ${named}`;
  if (!(lists.test(code) && reads.test(code))) return undefined;
  const swept = await sweptSecret(texts, paths);
  return swept === undefined ? undefined : `${program.name} code that opens what it lists, ${swept} among it`;
}

function codeOf({ name, args, command }: CalledProgram): string | undefined {
  if (!interpreters.test(name)) return undefined;
  const inline = args.flatMap(({ text }, at) => {
    const equal = /^--(?:eval|print)=([\s\S]*)$/.exec(text)?.[1];
    return equal ?? (takesCode.test(args[at - 1]?.text ?? "") ? text : []);
  });
  const { stdin } = command;
  const isRead = args.every(({ text }) => text.startsWith("-"));
  if (isRead && stdin !== undefined && "text" in stdin) inline.push(stdin.text.text);
  return inline.length === 0 ? undefined : inline.join("\n").slice(0, 100_000);
}

async function namedSecret(
  texts: readonly CodeText[],
  { paths, isLine }: { paths: Paths; isLine: boolean },
): Promise<string | undefined> {
  const candidates = new Set<string>();
  for (const { text, before, after } of texts) {
    if (compares.test(before) || isLookedFor.test(after)) continue;
    for (const reading of readingsOf(text)) {
      candidates.add(reading);
      if (isLine) for (const word of reading.split(/[\s'"|;&<>()=]+/)) candidates.add(word);
    }
  }
  for (const text of candidates) {
    if (!/^[\w.~/*?[\]{}@+-]{2,400}$/.test(text)) continue;
    const pattern = await paths.secretMatch({ text, sure: true, glob: true });
    if (pattern !== undefined) return pattern;
    const named = await paths.named({ text, sure: true });
    if (named !== undefined && secrecyOf(named.path) === "secret" && existsSync(named.path)) return named.path;
  }
  return undefined;
}

/** The first secret file below the directories that the code names, or below the project where it names none. */
async function sweptSecret(texts: readonly CodeText[], paths: Paths): Promise<string | undefined> {
  const { root } = paths.project;
  const secrets = await secretsOf(root);
  if (secrets.length === 0) return undefined;
  const patterns = texts.flatMap(({ text }) => (/[*?[]/.test(text) ? globPattern(path.basename(text)) : []));
  // Of a pattern the directory before it.
  const named = texts.map(({ text }) => text.replace(/\/?[^/]*[*?[].*$/s, "")).filter((text) => text !== "");
  const places = await Promise.all(named.map((text) => paths.at({ text, sure: true })));
  const directories = places.flatMap((place) => (place !== undefined && existsSync(place.real) ? [place.real] : []));
  const starts = directories.length === 0 ? [root] : directories;
  const isTaken = (file: string) => patterns.length === 0 || patterns.some((matches) => matches(path.basename(file)));
  return secrets.filter(isTaken).find((file) => starts.some((start) => isInside(start, path.join(root, file))));
}
