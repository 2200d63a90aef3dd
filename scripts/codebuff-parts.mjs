/** Packages of `codebuff` that bring programs, libraries or grammars as files: they stay beside the bundle. */
export const packagesWithFiles = [
  "@lydell/node-pty",
  "@vscode/ripgrep",
  "@vscode/tree-sitter-wasm",
  "esbuild",
  "web-tree-sitter",
];

/** Loaded if the person has it, never brought along. */
export const optionalPackages = ["@valibot/to-json-schema"];
