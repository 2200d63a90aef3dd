/**
 * `node scripts/readability.mjs [files]`: how easily the documents for users read. For each file: words, words per sentence, the share of
 * sentences over 30 words, of sentences in the passive voice, and of sentences that begin with a clause or an adverb in place of
 * their subject ("What was lost is named", "Only then does it start"). `--list` prints the sentences that were found.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./prepare.mjs";

const long = 30;
const participles =
  "begun|bound|bought|broken|brought|built|caught|chosen|cut|done|drawn|driven|fed|found|forgotten|given|gone|held|hidden|kept|known|laid|led|left|lost|made|meant|met|paid|put|read|run|said|seen|sent|set|shown|shut|sold|spent|split|stopped|taken|taught|thought|told|understood|won|written";
const passive = new RegExp(
  String.raw`\b(?:is|are|was|were|be|been|being)\s+(?:not\s+|never\s+|also\s+|only\s+|then\s+|\w+ly\s+)?(?:\w{3,}ed|${participles})\b`,
  "i",
);
const inverted = /^(?:What|Who|Whoever|Whatever|Wherever|Not|Neither|Nor|Never|Nothing but|Only|So)\b(?![^.]*\?)/;

/** Prose of a Markdown page as sentences: no fences, tables, headings, comments or addresses of links. */
export function sentencesOf(markdown) {
  return markdown
    .replace(/^(```+|~~~+)[\s\S]*?^\1\s*$/gm, "\n\n")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/^\s*(?:[|#>!].*|---+)$/gm, "\n")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`[^`\n]*`/g, "code")
    .split(/\n\s*\n|^\s*(?:[-*]|\d+\.)\s+/m)
    .flatMap((paragraph) =>
      paragraph.replace(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, "").split(/(?<=[.!?:])\s+(?=["(A-Z])/),
    )
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => wordsOf(sentence) >= 4);
}

function wordsOf(sentence) {
  return (sentence.match(/[\p{L}\d][\p{L}\d'’-]*/gu) ?? []).length;
}

/** The figures of some sentences. */
export function readability(sentences) {
  const words = sentences.reduce((sum, sentence) => sum + wordsOf(sentence), 0);
  const found = {
    long: sentences.filter((sentence) => wordsOf(sentence) > long),
    passive: sentences.filter((sentence) => passive.test(sentence)),
    inverted: sentences.filter((sentence) => inverted.test(sentence)),
  };
  return { words, sentences: sentences.length, perSentence: words / Math.max(1, sentences.length), found };
}

/** README and docs/ without the pages that are generated and the decisions, which are for engineers. */
function documentsForUsers() {
  const below = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? below(join(folder, entry.name))
        : entry.name.endsWith(".md")
          ? [join(folder, entry.name)]
          : [],
    );
  return ["README.md", ...below("docs").filter((file) => !/^docs\/(?:api|decisions)\//.test(file))].map((file) =>
    join(root, file),
  );
}

function main(args) {
  const isList = args.includes("--list");
  const named = args.filter((arg) => !arg.startsWith("--"));
  const files = named.length > 0 ? named : documentsForUsers();
  const all = [];
  const row = (name, { words, sentences, perSentence, found }) => {
    const share = (some) => `${Math.round((100 * some.length) / Math.max(1, sentences))} %`.padStart(6);
    process.stdout.write(
      `${name.padEnd(44)} ${String(words).padStart(6)} ${perSentence.toFixed(1).padStart(6)} ${share(found.long)} ${share(found.passive)} ${share(found.inverted)}\n`,
    );
    if (isList)
      for (const [kind, some] of Object.entries(found))
        for (const one of some) process.stdout.write(`    ${kind}: ${one}\n`);
  };
  process.stdout.write(`${"document".padEnd(44)}  words  w/sent >${long} w passive inverted\n`);
  for (const file of files) {
    const sentences = sentencesOf(readFileSync(file, "utf8"));
    all.push(...sentences);
    row(relative(root, file), readability(sentences));
  }
  if (files.length > 1) row("all", readability(all));
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
