/** `npm run check`: everything that can be said about the repository without running the products. */
import { join } from "node:path";
import { prepare, root, run } from "./prepare.mjs";

prepare();
const bin = (path) => join(root, "node_modules", path);
const steps = [
  ["format and lint", [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]],
  ["types of tests", [bin("typescript/bin/tsc"), "-p", "tsconfig.tests.json"]],
  ["types of Python", [bin("pyright/index.js"), "-p", "python"]],
  ["generated files are current", [join(root, "scripts/generate.mjs"), "--check"]],
  ["dead code", [bin("knip/bin/knip.js")]],
  ["links in documents", [join(root, "scripts/check-links.mjs")]],
];
for (const [title, args] of steps) {
  process.stdout.write(`\n— ${title}\n`);
  run(process.execPath, args);
}
