import type { Release } from "../install/release/release.ts";
import { githubSource } from "../install/release/vendor.ts";

/** The builds for Linux are static: one for glibc and musl alike. */
const targets = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-x64-musl": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "linux-arm64-musl": "aarch64-unknown-linux-musl",
  "darwin-arm64": "aarch64-apple-darwin",
  "darwin-x64": "x86_64-apple-darwin",
};

/** target → how npm calls the platform */
const npmNames: Readonly<Record<string, string>> = {
  "x86_64-unknown-linux-musl": "linux-x64",
  "aarch64-unknown-linux-musl": "linux-arm64",
  "aarch64-apple-darwin": "darwin-arm64",
  "x86_64-apple-darwin": "darwin-x64",
};

/**
 * npm comes first here: its package (0.166.0) has `rg`, `bwrap` and the code-mode host beside the program, which finds
 * them by its own place; the vendor's archive holds the program alone, so Codex from there has no sandbox of its own.
 */
export const codexRelease: Release = {
  id: "codex",
  name: "Codex",
  command: "codex",
  tested: "0.166.0",
  majors: [0],
  sources: [
    {
      kind: "npm",
      wrapper: "@openai/codex",
      platforms: targets,
      packageOf: (target, version) => ({ name: "@openai/codex", version: `${version}-${npmNames[target]}` }),
      program: (target) => `vendor/${target}/bin/codex`,
    },
    githubSource({
      platforms: targets,
      command: "codex",
      repository: "openai/codex",
      tagPrefix: "rust-v",
      file: (target) => ({ name: `codex-${target}.tar.gz`, member: `codex-${target}` }),
    }),
  ],
};
