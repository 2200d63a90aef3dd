/**
 * `npm run chaos`: the faults of docs/reliability.md in their long form, and a table of what was tried and what held.
 * Arguments after `--` choose some of the tests by name; MUSTER_CHAOS_SEED repeats the random moments of an earlier run.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare, root, run } from "./prepare.mjs";

const tests = [
  "daemon/server/test/attack-matrix.test.ts",
  "daemon/server/test/slow-clients.test.ts",
  "daemon/server/test/descriptors.test.ts",
  "daemon/server/test/secrets.test.ts",
  "daemon/server/test/shutdown.test.ts",
  "daemon/server/test/hostile-agents.test.ts",
  "daemon/server/test/full-disk-moments.test.ts",
  "daemon/server/test/storage-faults.test.ts",
  "daemon/server/test/sigkill.test.ts",
  "daemon/server/test/sigkill.agent.test.ts",
  "daemon/engine/src/event-log/damage.test.ts",
  "daemon/engine/src/store/writer-lock.test.ts",
  "daemon/server/test/start-races.test.ts",
];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !tests.some((path) => path.includes(name)));
if (unknown.length > 0) {
  process.stderr.write(`There is no fault ${unknown.join(", ")}. There are:\n${tests.join("\n")}\n`);
  process.exit(2);
}
const chosen = tests.filter((path) => asked.length === 0 || asked.some((name) => path.includes(name)));
const seed = process.env.MUSTER_CHAOS_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const folder = mkdtempSync(join(tmpdir(), "muster-chaos-"));
const results = join(folder, "results.jsonl");
writeFileSync(results, "");

prepare();
process.stdout.write(`chaos: seed ${seed}\n`);
process.once("exit", () => {
  process.stdout.write(`\n${table(readRows())}\nseed ${seed}\n`);
  rmSync(folder, { recursive: true, force: true });
});
const vitest = join(root, "node_modules/vitest/vitest.mjs");
// One file at a time: a fault in one must not be the load of another.
run(process.execPath, [vitest, "run", "--reporter=verbose", "--no-file-parallelism", ...chosen], {
  env: { ...process.env, MUSTER_CHAOS: "1", MUSTER_CHAOS_SEED: seed, MUSTER_CHAOS_RESULTS: results },
});

function readRows() {
  const lines = readFileSync(results, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** As docs/reliability.md has it. */
function table(rows) {
  const lines = rows.map(({ fault, tried, held, note = "" }) => `| ${fault} | ${tried} | ${held} | ${note} |`);
  return ["| fault | tried | held | |", "|---|---|---|---|", ...lines, ""].join("\n");
}
