import { readFileSync } from "node:fs";
import { unifiedDiff } from "../../src/index.ts";

/** One edit a model could ask for, with the only result that is right. */
export interface CorpusEdit {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly call: { readonly toolName: "str_replace" | "apply_patch"; readonly input: Record<string, unknown> };
  /** `made`: must succeed. `refused`: must not. `either`: byte-equal or a clean refusal. */
  readonly expect: "made" | "refused" | "either";
}

const sources: readonly { readonly file: string; readonly language: string }[] = [
  { file: "fixtures/corpus/replace-text.ts.txt", language: "TypeScript" },
  { file: "fixtures/corpus/gate.ts.txt", language: "TypeScript" },
  { file: "fixtures/corpus/inventory.py", language: "Python" },
  { file: "fixtures/corpus/queue.go", language: "Go" },
  { file: "fixtures/corpus/Makefile", language: "Makefile" },
  { file: "fixtures/corpus/articles.csv", language: "CSV" },
];

interface TrueEdit {
  readonly name: string;
  readonly before: string;
  readonly old: string;
  readonly fresh: string;
  readonly after: string;
}

/** Every true edit in every disturbed form, for every tool. The same list on every machine. */
export function editCorpus(): CorpusEdit[] {
  return sources.flatMap(({ file, language }) => {
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    return trueEdits(text, `${language} ${file.split("/").at(-1)}`).flatMap((edit) => [
      ...replacements(edit),
      ...patches(edit),
    ]);
  });
}

type Operation = (lines: readonly string[], random: Random) => string[] | undefined;

const operations: Readonly<Record<string, Operation>> = {
  insert(lines, random) {
    const at = 1 + random(lines.length - 1);
    const model = (lines[at]?.trim() === "" ? lines[0] : lines[at]) ?? "";
    return [...lines.slice(0, at), `${indent(model)}${invent(model, random)}`, ...lines.slice(at)];
  },
  delete(lines, random) {
    const at = 1 + random(lines.length - 2);
    return [...lines.slice(0, at), ...lines.slice(at + 1)];
  },
  move(lines) {
    return lines.length < 4 ? undefined : [lines[0] ?? "", ...lines.slice(2, -1), lines[1] ?? "", lines.at(-1) ?? ""];
  },
  rename(lines) {
    const word = lines
      .join(" ")
      .match(/[A-Za-z_]{5,}/g)
      ?.toSorted((a, b) => b.length - a.length)[0];
    return word === undefined ? undefined : lines.map((line) => line.replaceAll(word, `${word}Renamed`));
  },
  reindent(lines) {
    const unit = lines.some((line) => line.startsWith("\t")) ? "\t" : "  ";
    return lines.map((line, index) => (index === 0 || line.trim() === "" ? line : unit + line));
  },
};

function trueEdits(text: string, source: string): TrueEdit[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const random = seeded(source.length * 7919 + lines.length);
  return Object.entries(operations).flatMap(([operation, change]) => {
    const edits: TrueEdit[] = [];
    for (let attempt = 0; edits.length < 2 && attempt < 60; attempt += 1) {
      const size = 3 + random(4);
      const start = random(lines.length - size);
      const region = lines.slice(start, start + size);
      const fresh = change(region, random);
      const old = region.join("\n");
      const isUsable = region[0]?.trim() !== "" && region.at(-1)?.trim() !== "" && text.split(old).length === 2;
      if (fresh === undefined || fresh.join("\n") === old || !isUsable) continue;
      const after = `${[...lines.slice(0, start), ...fresh, ...lines.slice(start + size)].join("\n")}\n`;
      edits.push({
        name: `${source} ${operation} ${edits.length + 1}`,
        before: text,
        old,
        fresh: fresh.join("\n"),
        after,
      });
    }
    return edits;
  });
}

interface Disturbance {
  readonly file?: (text: string) => string;
  readonly old?: (text: string) => string;
  /** Sees the old text too: both are disturbed in the same way. */
  readonly fresh?: (text: string, old: string) => string;
  readonly expect: CorpusEdit["expect"];
}

const crlf = (text: string) => text.replaceAll("\n", "\r\n");
const each = (change: (line: string, index: number) => string) => (text: string) =>
  text.split("\n").map(change).join("\n");
const trailing = each((line, index) => (index % 2 === 0 ? `${line}  ` : line));
const tabs = each((line) => line.replace(/^(?: {2})+/, (blanks) => "\t".repeat(blanks.length / 2)));
const blanks = each((line) => line.replace(/^\t+/, (all) => "    ".repeat(all.length)));
const deeper = each((line) => (line.trim() === "" ? line : `    ${line}`));
const inner = each((line) => indent(line) + line.trimStart().replaceAll(", ", ",  ").replaceAll("(", "( "));
const dedent = (text: string, old = text) => {
  const full = old.split("\n").filter((line) => line.trim() !== "");
  const least = Math.min(...full.map((line) => indent(line).length));
  return each((line) => (line.trim() === "" ? line : line.slice(least)))(text);
};
const stale = (text: string) => {
  const lines = text.split("\n");
  const at = Math.floor(lines.length / 2);
  lines[at] = `${lines[at]} // as it was yesterday`;
  return lines.join("\n");
};

const disturbances: Readonly<Record<string, Disturbance>> = {
  "as it stands": { expect: "made" },
  "in a CRLF file": { file: crlf, expect: "made" },
  "searched with CRLF": { old: crlf, fresh: crlf, expect: "made" },
  "after lines were added above": { file: (text) => `# first\n# second\n# third\n${text}`, expect: "either" },
  "after lines were taken away above": { file: (text) => text.split("\n").slice(2).join("\n"), expect: "either" },
  "with blanks at line ends": { old: trailing, expect: "either" },
  "with tabs for blanks": { old: tabs, fresh: tabs, expect: "either" },
  "with tabs for blanks in the search only": { old: tabs, expect: "either" },
  "with blanks for tabs": { old: blanks, fresh: blanks, expect: "either" },
  "with blanks for tabs in the search only": { old: blanks, expect: "either" },
  "four blanks deeper": { old: deeper, fresh: deeper, expect: "either" },
  "four blanks deeper in the search only": { old: deeper, expect: "either" },
  "without its common indentation": { old: dedent, fresh: dedent, expect: "either" },
  "with other blanks inside": { old: inner, fresh: inner, expect: "either" },
  "with other blanks inside the search only": { old: inner, expect: "either" },
  "deeper in a CRLF file": { file: crlf, old: deeper, fresh: deeper, expect: "either" },
  "with a stale line": { old: stale, expect: "refused" },
};

function replacements(edit: TrueEdit): CorpusEdit[] {
  return Object.entries(disturbances).flatMap(([how, { file = same, old = same, fresh = same, expect }]) => {
    const searched = old(edit.old);
    if (how !== "as it stands" && searched === edit.old && file === same) return [];
    const before = file(edit.before);
    const replaced = fresh(edit.fresh, edit.old);
    // A disturbed text that stands in the file exactly once is an exact request and means what it says.
    const literal = expect === "either" && before.split(searched).length === 2 && searched !== replaced;
    return [
      {
        name: `str_replace: ${edit.name}, ${how}`,
        before,
        after: literal ? before.replace(searched, () => replaced) : file(edit.after),
        call: { toolName: "str_replace", input: { path: "FILE", replacements: [{ old: searched, new: replaced }] } },
        expect,
      },
    ];
  });
}

function patches(edit: TrueEdit): CorpusEdit[] {
  const unified = unifiedDiff(edit.before, edit.after);
  const marked = unified.replaceAll(/^@@.*$/gm, "@@");
  const forms: [string, string][] = [
    ["unified", unified],
    ["codex", marked],
  ];
  return forms.flatMap(([form, diff]) =>
    Object.entries(disturbances).flatMap(([how, { file = same, old, fresh, expect }]) => {
      // In a patch old and new lines are one text: only disturbances of both make sense, or of the context.
      if (old !== undefined && fresh === undefined && old !== stale && old !== trailing) return [];
      const disturbed = old === undefined ? diff : disturbPatch(diff, old);
      // Where only the new lines are disturbed the patch is exact and means what it says.
      if (how !== "as it stands" && oldSide(disturbed) === oldSide(diff) && file === same && old !== crlf) return [];
      const sure = form === "unified" ? expect : expect === "made" ? "either" : expect;
      return [
        {
          name: `apply_patch (${form}): ${edit.name}, ${how}`,
          before: file(edit.before),
          after: file(edit.after),
          call: {
            toolName: "apply_patch",
            input: { operation: { type: "update_file", path: "FILE", diff: disturbed } },
          },
          expect: sure,
        } satisfies CorpusEdit,
      ];
    }),
  );
}

function disturbPatch(diff: string, change: (text: string) => string): string {
  if (change === crlf) return crlf(diff);
  const hunks = diff.replace(/\n$/, "").split(/\n(?=@@)/);
  return `${hunks.map((hunk) => disturbHunk(hunk, change)).join("\n")}\n`;
}

function oldSide(diff: string): string {
  return diff
    .split("\n")
    .filter((line) => !line.startsWith("+"))
    .join("\n");
}

function disturbHunk(hunk: string, change: (text: string) => string): string {
  const [head = "", ...lines] = hunk.split("\n");
  const touched = (line: string) =>
    (change === stale || change === trailing ? !line.startsWith("+") : true) && !line.startsWith("\\");
  const signs = lines.map((line) => line.slice(0, 1));
  const which = lines.map((line, index) => (touched(line) ? index : -1)).filter((index) => index >= 0);
  const changed = change(which.map((index) => (lines[index] ?? "").slice(1)).join("\n")).split("\n");
  const result = [...lines];
  which.forEach((index, position) => {
    result[index] = (signs[index] ?? " ") + (changed[position] ?? "");
  });
  return [head, ...result].join("\n");
}

function same(text: string): string {
  return text;
}

function indent(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function invent(model: string, random: Random): string {
  return `${model.trim().slice(0, 12)}${random(1000)}`;
}

type Random = (below: number) => number;

function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * Math.max(1, below));
  };
}
