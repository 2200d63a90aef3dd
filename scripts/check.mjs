/** `npm run check`: everything that can be said about the repository without running the products; `lint` and `typecheck` are parts of it. Every step runs, so that one run names all that is wrong. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

const bin = (path) => join(root, "node_modules", path);
const steps = [
  ["lint", "format and lint", [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]],
  ["typecheck", "types of tests", [bin("typescript/bin/tsc"), "-p", "tsconfig.tests.json"]],
  ["typecheck", "types of Python", [bin("pyright/index.js"), "-p", "python"]],
  ["rest", "generated files are current", [join(root, "scripts/generate.mjs"), "--check"]],
  ["rest", "dead code", [bin("knip/bin/knip.js")]],
  ["rest", "known advisories", [join(root, "scripts/advisories.mjs")]],
  ["rest", "links in documents", [join(root, "scripts/check-links.mjs")]],
];

const [part] = process.argv.slice(2);
const chosen = steps.filter(([of]) => part === undefined || of === part);
if (chosen.length === 0) throw new Error(`There is no part ${part} of the check`);
// Sources are typed by the build; format and lint need none.
prepare({ build: part !== "lint" });
const failed = [];
for (const [, title, args] of chosen) {
  process.stdout.write(`\n— ${title}\n`);
  const { status, error } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (error !== undefined) throw error;
  if (status !== 0) failed.push(title);
}
if (failed.length > 0) {
  process.stderr.write(`\ncheck: failed: ${failed.join(", ")}\n`);
  process.exitCode = 1;
}
