/** `npm run chaos`: the faults of docs/reliability.md in their long form; arguments after `--` go to vitest. */
import { join } from "node:path";
import { prepare, root, run } from "./prepare.mjs";

const tests = ["attack-matrix", "slow-clients", "descriptors", "secrets", "shutdown"];

prepare();
run(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--reporter=verbose",
    ...tests.map((name) => `daemon/server/test/${name}.test.ts`),
    ...process.argv.slice(2),
  ],
  { env: { ...process.env, MUSTER_CHAOS: "1" } },
);
