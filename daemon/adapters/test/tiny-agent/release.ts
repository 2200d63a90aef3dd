import { fileURLToPath } from "node:url";
import type { Release } from "../../src/install/release/release.ts";

export const program = fileURLToPath(new URL("./run/program.mjs", import.meta.url));

export const tinyRelease: Release = {
  id: "tiny",
  name: "Tiny",
  command: "tiny",
  majors: [1],
  sources: [{ kind: "built-in", version: "1.0.0", path: program }],
};
