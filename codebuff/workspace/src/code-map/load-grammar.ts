import { createRequire } from "node:module";
import path from "node:path";
import type { Language, Parser } from "web-tree-sitter";

const require = createRequire(import.meta.url);
let library: Promise<typeof import("web-tree-sitter")> | undefined;

/** Loads the engine with the first grammar. Rejects when the file is no grammar. */
export async function loadGrammar(
  file: string,
): Promise<{ grammar: Language; parser: Parser; Query: typeof import("web-tree-sitter").Query }> {
  library ??= import("web-tree-sitter").then(async (module) => {
    await module.Parser.init();
    return module;
  });
  const { Language, Parser, Query } = await library;
  const directory = path.join(path.dirname(require.resolve("@vscode/tree-sitter-wasm/package.json")), "wasm");
  const grammar = await Language.load(path.join(directory, file));
  const parser = new Parser();
  parser.setLanguage(grammar);
  return { grammar, parser, Query };
}
