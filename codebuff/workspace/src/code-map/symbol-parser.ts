import type { Parser, Query } from "web-tree-sitter";
import { type Language, languageOf } from "./languages.ts";
import { loadGrammar } from "./load-grammar.ts";

export interface FileSymbols {
  /** In the order of the file, each once. */
  readonly defs: readonly string[];
  /** Names called or used, with how often. */
  readonly uses: Readonly<Record<string, number>>;
  readonly lines: number;
}

const longestName = 60;

/** Reads names out of sources. Grammars are loaded when the first file of their language comes. */
export class SymbolParser {
  readonly #ready = new Map<string, Promise<{ parser: Parser; query: Query } | undefined>>();

  /** Undefined for files without symbols, in particular for languages nobody taught us. */
  async parse(file: string, text: string): Promise<FileSymbols | undefined> {
    const language = languageOf(file);
    if (language === undefined) return undefined;
    const ready = this.#ready.get(language.name) ?? load(language);
    this.#ready.set(language.name, ready);
    const loaded = await ready;
    if (loaded === undefined) return undefined;
    const tree = loaded.parser.parse(text);
    if (tree === null) return undefined;
    try {
      return collect(loaded.query, tree.rootNode, text);
    } finally {
      tree.delete();
    }
  }

  async close(): Promise<void> {
    const loaded = await Promise.all(this.#ready.values());
    this.#ready.clear();
    for (const one of loaded) {
      one?.parser.delete();
      one?.query.delete();
    }
  }
}

function collect(query: Query, root: Parameters<Query["captures"]>[0], text: string): FileSymbols {
  const defs = new Set<string>();
  const uses = new Map<string, number>();
  for (const { name, node } of query.captures(root)) {
    const word = text.slice(node.startIndex, node.endIndex);
    if (word.length > longestName || word.length < 2) continue;
    if (name === "def") defs.add(word);
    else uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  return { defs: [...defs], uses: Object.fromEntries(uses), lines: text.split("\n").length };
}

/** A grammar that cannot be loaded costs its language, never the map. */
async function load(language: Language): Promise<{ parser: Parser; query: Query } | undefined> {
  try {
    const { grammar, parser, Query } = await loadGrammar(language.grammar);
    return { parser, query: new Query(grammar, language.query) };
  } catch {
    // Without its grammar a language has no symbols; the map goes on with the others.
    return undefined;
  }
}
