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

/** The thread for steps of agents is a file of its own, with its engine as a file beside it. */
export const isolate = {
  worker: "codebuff/runtime/dist/isolate/worker.js",
  engine: "@jitl/quickjs-ng-wasmfile-release-sync",
};
