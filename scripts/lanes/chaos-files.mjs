/** The test files of `npm run chaos`. */
import { testFiles } from "../lanes.mjs";
import { usedBy } from "./imports.mjs";

/** Rows of docs/reliability.md that are the same in their short and their long form. */
const withoutLongForm = [
  "daemon/server/test/attacks/slow-clients.test.ts",
  "daemon/server/test/lives/shutdown.test.ts",
  "daemon/server/test/storage/storage-faults.test.ts",
  "daemon/server/test/storage/odd-files.test.ts",
  "daemon/server/test/storage/removed-files.test.ts",
  "daemon/server/test/lives/standstill.test.ts",
  "daemon/engine/src/store/writer-lock.test.ts",
  "daemon/adapters/src/amp/converter.test.ts",
  "daemon/adapters/src/claude/converter.test.ts",
  "daemon/adapters/src/codebuff/converter.test.ts",
  "daemon/adapters/src/codex/converter.test.ts",
  "daemon/adapters/src/mock/converter.test.ts",
  "daemon/adapters/src/opencode/converter.test.ts",
];

/** What `npm run chaos` runs: the files above, and every test file that asks `@muster/chaos` whether it runs in its long form. */
export function chaosFiles() {
  const long = testFiles().filter(({ file }) => usedBy(file).files.has("testing/chaos/src/run.ts"));
  return [...withoutLongForm, ...long.map(({ file }) => file)];
}
