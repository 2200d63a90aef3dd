import type { ReadFile, ToolInput } from "@muster/codebuff-protocol";
import { type ReadFilesPorts, readFiles } from "../files/read-files.ts";
import type { CodeMap } from "./code-map.ts";
import { printTree } from "./printed-tree.ts";

const mostFiles = 12;
const treeTokens = 20_000;

/** A fast model that reads the tree and names the paths that matter for the task. */
export type PickFiles = (request: { prompt: string; tree: string; signal?: AbortSignal }) => Promise<readonly string[]>;

export interface FindFilesPorts extends ReadFilesPorts {
  readonly codeMap: CodeMap;
  readonly pickFiles?: PickFiles;
}

/** Without a model, or when it names nothing that exists, the words of the prompt are looked up in paths and symbols. */
export async function findFiles(
  input: ToolInput<"find_files">,
  ports: FindFilesPorts,
  signal?: AbortSignal,
): Promise<ReadFile[] | { message: string }> {
  const files = (await ports.codeMap.view()).files.filter((file) => ports.access.names(file.path));
  const known = new Set(files.map((file) => file.path));
  const { printedTree } = printTree(files, treeTokens);
  const request = { prompt: input.prompt, tree: printedTree, ...(signal === undefined ? {} : { signal }) };
  const picked = (await ports.pickFiles?.(request).catch(() => [])) ?? [];
  const named = [...new Set(picked)].filter((path) => known.has(path)).slice(0, mostFiles);
  const paths = named.length > 0 ? named : byWords(input.prompt, files);
  if (paths.length === 0) return { message: "No file fits the description" };
  return (await readFiles({ paths }, ports)).files;
}

type Candidate = { readonly path: string; readonly scores: ReadonlyMap<string, number> };

/** A rare word counts more than one that is everywhere; a hit in the path more than one in a symbol. */
function byWords(prompt: string, files: readonly Candidate[]): string[] {
  const wanted = [...new Set(wordsOf(prompt))];
  const indexed = files.map((file) => ({
    path: file.path,
    inPath: new Set(wordsOf(file.path)),
    inSymbols: new Set(wordsOf([...file.scores.keys()].join(" "))),
  }));
  const rarity = new Map(
    wanted.map((word) => {
      const hits = indexed.filter((file) => file.inPath.has(word) || file.inSymbols.has(word)).length;
      return [word, hits === 0 ? 0 : Math.log(1 + files.length / hits)];
    }),
  );
  return indexed
    .map((file) => {
      const score = wanted.reduce((sum, word) => {
        const hit = file.inPath.has(word) ? 2 : file.inSymbols.has(word) ? 1 : 0;
        return sum + hit * (rarity.get(word) ?? 0);
      }, 0);
      return { path: file.path, score };
    })
    .filter((file) => file.score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, mostFiles)
    .map((file) => file.path);
}

/** `readTextFile` and `read-text-file` are the same three words. */
function wordsOf(text: string): string[] {
  const split = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return split
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && !fillers.has(word))
    .map(stem);
}

const fillers = new Set(
  "the and for are was were with that this from where which what how all any code file files src".split(" "),
);

/** Enough for plurals and simple verb forms. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|e)$/, "") : word;
}
