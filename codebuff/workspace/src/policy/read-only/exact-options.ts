import type { ShellWord } from "../bash/shell-word.ts";

/** The options a program may be called with. Everything that is not written here, abbreviations too, is refused. */
export interface ExactOptions {
  /** Letters of options without a value; they may be joined. */
  readonly flags?: string;
  /** Letters whose value is the rest of the word, or the next word. */
  readonly valued?: string;
  /** Long options, separated by blanks: `--name` without, `--name=` with, `--name[=]` with or without a value. */
  readonly long?: string;
  /** Other words that begin with a dash, such as `-20` or find's `-name`. */
  readonly words?: RegExp;
  /** Judges what is left when the options are gone; left out, any words may follow. */
  readonly operands?: (operands: readonly string[]) => boolean;
}

/** True when every word is one the table knows. A word only the shell knows could be an option, so it is refused. */
export function fitsOptions(args: readonly ShellWord[], options: ExactOptions): boolean {
  const operands: string[] = [];
  // Where the words that are left count, a pattern may turn into any number of them.
  const isPlain = options.operands === undefined ? isOneWord : (word: ShellWord) => word.sure && word.glob !== true;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (word === undefined || !isPlain(word)) return false;
    const { text } = word;
    if (text === "--") {
      const rest = args.slice(at + 1);
      if (!rest.every(isPlain)) return false;
      operands.push(...rest.map((one) => one.text));
      break;
    }
    const takes = text.startsWith("-") && text !== "-" ? optionTakes(text, options) : "operand";
    if (takes === undefined) return false;
    if (takes === "operand") operands.push(text);
    if (takes === "next") {
      at += 1;
      const value = args[at];
      if (value === undefined || !isPlain(value)) return false;
    }
  }
  return options.operands?.(operands) ?? true;
}

/** A pattern that begins with a name cannot turn into an option. */
function isOneWord(word: ShellWord): boolean {
  return word.sure && (word.glob !== true || /^[\w./]/.test(word.text));
}

function optionTakes(text: string, options: ExactOptions): "nothing" | "next" | undefined {
  if (options.words?.test(text)) return "nothing";
  if (text.startsWith("--")) return longTakes(text, options.long ?? "");
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (options.valued?.includes(letter)) return at === text.length - 1 ? "next" : "nothing";
    if (!options.flags?.includes(letter)) return undefined;
  }
  return "nothing";
}

function longTakes(text: string, known: string): "nothing" | "next" | undefined {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  for (const one of known.split(/\s+/)) {
    if (one === name) return equals < 0 ? "nothing" : undefined;
    if (one === `${name}=`) return equals < 0 ? "next" : "nothing";
    if (one === `${name}[=]`) return "nothing";
  }
  return undefined;
}
