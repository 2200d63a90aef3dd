/** The counts of all test runs of CI in one line: `node scripts/add-counts.mjs <file>`, which each run added a line to. */
import { readFileSync } from "node:fs";
import { countLine } from "./test/closing-lines.mjs";

const runs = readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean);
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const run of runs) for (const [name, count] of Object.entries(JSON.parse(run))) sum[name] += count;
process.stdout.write(`${countLine(sum)}\n`);
