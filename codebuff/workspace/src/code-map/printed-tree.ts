import type { MappedFile } from "./code-map.ts";

type TruncationLevel = "none" | "unimportant-files" | "tokens" | "depth-based";

export interface PrintedTree {
  readonly printedTree: string;
  readonly tokenCount: number;
  readonly truncationLevel: TruncationLevel;
}

/** Pictures, archives, data and binaries: their names are the first to go. */
const unimportant =
  /\.(?:png|jpe?g|gif|svg|ico|webp|bmp|pdf|zip|gz|tar|tgz|7z|mp[34]|wav|mov|woff2?|ttf|eot|otf|snap|map|log|csv|tsv|parquet|db|sqlite|bin|exe|dll|so|dylib|wasm|pyc|class|jar|lock|tmp|bak)$/i;

/** The tree with the symbols behind each file, cut down rung by rung until it fits. */
export function printTree(files: readonly MappedFile[], maxTokens: number): PrintedTree {
  const rungs: [TruncationLevel, () => string | undefined][] = [
    ["none", () => print(files, () => true)],
    ["unimportant-files", () => print(files.filter(isImportant), () => true)],
    ["tokens", () => fewerSymbols(files.filter(isImportant), maxTokens)],
    ["depth-based", () => fewerFiles(files.filter(isImportant), maxTokens)],
  ];
  for (const [truncationLevel, make] of rungs) {
    const printedTree = make();
    if (printedTree === undefined) continue;
    const tokenCount = countTokens(printedTree);
    if (tokenCount <= maxTokens) return { printedTree, tokenCount, truncationLevel };
  }
  return { printedTree: "", tokenCount: 0, truncationLevel: "depth-based" };
}

/** Names and paths take about three characters a token. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 3);
}

function isImportant(file: MappedFile): boolean {
  return !unimportant.test(file.path);
}

/** Keeps the best symbols of the whole tree, as many as fit; undefined when not even the names fit. */
function fewerSymbols(files: readonly MappedFile[], maxTokens: number): string | undefined {
  const bare = print(files, () => false);
  const room = maxTokens * 3 - bare.length;
  if (room < 0) return undefined;
  const all = files.flatMap((file) => [...file.scores].map(([name, score]) => ({ file, name, score })));
  all.sort((a, b) => b.score - a.score);
  const kept = new Set<string>();
  let used = 0;
  for (const { file, name } of all) {
    used += name.length + 2;
    if (used > room) break;
    kept.add(`${file.path}\0${name}`);
  }
  return print(files, (file, name) => kept.has(`${file.path}\0${name}`));
}

/** Only names, and of those the ones near the root; directories that lose files say how many. */
function fewerFiles(files: readonly MappedFile[], maxTokens: number): string | undefined {
  const deepest = Math.max(0, ...files.map((file) => file.path.split("/").length));
  for (let depth = deepest; depth >= 1; depth -= 1) {
    const kept = files.filter((file) => file.path.split("/").length <= depth);
    const text = print(kept, () => false, hiddenBelow(files, depth));
    if (countTokens(text) <= maxTokens) return text;
  }
  return undefined;
}

function hiddenBelow(files: readonly MappedFile[], depth: number): Map<string, number> {
  const hidden = new Map<string, number>();
  for (const { path } of files) {
    const names = path.split("/");
    if (names.length <= depth) continue;
    const directory = names.slice(0, depth).join("/");
    hidden.set(directory, (hidden.get(directory) ?? 0) + 1);
  }
  return hidden;
}

function print(
  files: readonly MappedFile[],
  shows: (file: MappedFile, name: string) => boolean,
  hidden: ReadonlyMap<string, number> = new Map(),
): string {
  const lines: string[] = [];
  const open: string[] = [];
  const entries = [
    ...files.map((file) => ({ path: file.path, file, count: 0 })),
    ...[...hidden].map(([path, count]) => ({ path: `${path}/…`, file: undefined, count })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, file, count } of entries) {
    const names = path.split("/");
    const name = names.pop() ?? "";
    let same = 0;
    while (same < names.length && open[same] === names[same]) same += 1;
    open.length = same;
    for (const directory of names.slice(same)) {
      lines.push(`${" ".repeat(open.length)}${directory}/`);
      open.push(directory);
    }
    const symbols = file === undefined ? [] : [...file.scores.keys()].filter((symbol) => shows(file, symbol));
    const behind = file === undefined ? ` ${count} more` : symbols.map((symbol) => ` ${symbol}`).join("");
    lines.push(`${" ".repeat(open.length)}${name}${behind}`);
  }
  return lines.join("\n");
}
