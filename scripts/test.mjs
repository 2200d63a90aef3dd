/** `npm test`: prepares the clone and runs every test; arguments after `--` go to vitest. */
import { join } from "node:path";
import { prepare, root, run } from "./prepare.mjs";

prepare();
run(process.execPath, [
  join(root, "node_modules/vitest/vitest.mjs"),
  "run",
  "--reporter=default",
  "--reporter=./scripts/count-reporter.mjs",
  ...process.argv.slice(2),
]);
