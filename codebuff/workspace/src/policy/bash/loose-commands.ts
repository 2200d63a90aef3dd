import { decodeAnsiC } from "./ansi-c-string.ts";
import type { SimpleCommand } from "./bash-reader.ts";

const longestCommand = 16;

/**
 * For text the grammar cannot read: every word that could be a program, with the words behind it. Far too many, on
 * purpose: such a text is judged by the worst it could mean.
 */
export function looseCommands(text: string): SimpleCommand[] {
  const once = decodeAnsiC(text);
  return [...new Set([text, once, decodeAnsiC(once)])].flatMap(wordsAsCommands);
}

function wordsAsCommands(text: string): SimpleCommand[] {
  const words = text
    .replaceAll("\\\n", "")
    .replaceAll(/['"\\]/g, "")
    .split(/[\s;|&(){}<>`$!,]+/)
    .filter((word) => word !== "");
  return words.map((_, at) => ({
    words: words.slice(at, at + longestCommand).map((one) => ({ text: one, sure: true })),
    assignments: [],
    redirects: [],
  }));
}

/** The texts inside `$(…)`, backticks and `<(…)` of a piece that is not parsed further. */
export function hiddenSubstitutions(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "`") {
      const end = closingTick(text, at + 1);
      found.push(text.slice(at + 1, end).replaceAll(/\\([`\\$])/g, "$1"));
      at = end;
    } else if (/^[$<>]\(/.test(text.slice(at, at + 2))) {
      const end = closingBracket(text, at + 2);
      found.push(text.slice(at + 2, end));
      at = end;
    }
  }
  return found;
}

function closingTick(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "`") return at;
  }
  return text.length;
}

function closingBracket(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "(") depth += 1;
    else if (text[at] === ")") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}
