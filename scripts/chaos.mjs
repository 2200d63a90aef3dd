/**
 * `npm run chaos`: the faults of docs/reliability.md in their long form, and a table of what was tried and what held.
 * Arguments after `--` choose some of the tests by name; MUSTER_CHAOS_SEED repeats the random moments of an earlier run;
 * `--minutes <n>` begins nothing new after that time; `--resume <seed>` goes on with a run that was cut short: what it has
 * shown already is not tried again.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chaosFiles } from "./lanes/chaos-files.mjs";
import { prepare, root } from "./prepare.mjs";

const tests = chaosFiles();
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { resume: { type: "string" }, minutes: { type: "string" } },
});
const unknown = asked.filter((name) => !tests.some((path) => path.includes(name)));
if (unknown.length > 0) {
  process.stderr.write(`There is no fault ${unknown.join(", ")}. There are:\n${tests.join("\n")}\n`);
  process.exit(2);
}
const seed = values.resume ?? process.env.MUSTER_CHAOS_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const until = values.minutes === undefined ? Number.MAX_SAFE_INTEGER : Date.now() + Number(values.minutes) * 60_000;
const folder = join(root, "testing/chaos/results");
const results = join(folder, `${seed}.jsonl`);
mkdirSync(folder, { recursive: true });
if (values.resume === undefined || !existsSync(results)) writeFileSync(results, "");

prepare();
process.stdout.write(`chaos: seed ${seed}; cut short, it goes on with npm run chaos -- --resume ${seed}\n`);
const shown = readRows().map(({ file }) => file);
const chosen = tests.filter((path) => asked.length === 0 || asked.some((name) => path.includes(name)));
const failed = [];
for (const [at, file] of chosen.entries()) {
  if (shown.includes(file) || Date.now() > until) continue;
  process.stdout.write(`\nchaos: ${at + 1} of ${chosen.length}: ${file}\n`);
  const cuts = cutParts();
  if (!runs(file)) failed.push(file);
  else if (cutParts() === cuts) appendFileSync(results, `${JSON.stringify({ file })}\n`);
}
process.stdout.write(`\n${table(readRows().filter(({ fault }) => fault !== undefined))}\nseed ${seed}\n`);
for (const file of failed) process.stdout.write(`FAILED: ${file}\n`);
if (Date.now() > until) process.stdout.write(`The time is over: npm run chaos -- --resume ${seed} goes on.\n`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** One file at a time: a fault in one must not be the load of another. */
function runs(file) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const run = { MUSTER_CHAOS_SEED: seed, MUSTER_CHAOS_RESULTS: results, MUSTER_CHAOS_UNTIL: String(until) };
  const env = { ...process.env, MUSTER_CHAOS: "1", ...run };
  const args = [vitest, "run", "--reporter=verbose", "--no-file-parallelism", file];
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env }).status === 0;
}

/** How often a part was left for later because the time was over. */
function cutParts() {
  return readRows().filter(({ cut }) => cut !== undefined).length;
}

function readRows() {
  const lines = readFileSync(results, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** As docs/reliability.md has it: the parts of a fault add up. */
function table(rows) {
  const faults = new Map();
  for (const { fault, tried, held, counts = {}, note } of rows) {
    const sum = faults.get(fault) ?? { tried: 0, held: 0, counts: {}, notes: new Set() };
    for (const [name, count] of Object.entries(counts)) sum.counts[name] = (sum.counts[name] ?? 0) + count;
    if (note !== undefined) sum.notes.add(note);
    faults.set(fault, { ...sum, tried: sum.tried + tried, held: sum.held + held });
  }
  const figure = (number) => number.toLocaleString("en");
  const lines = [...faults].map(([fault, { tried, held, counts, notes }]) => {
    const all = [...Object.entries(counts).map(([name, count]) => `${figure(count)} ${name}`), ...notes];
    return `| ${fault} | ${figure(tried)} | ${figure(held)} | ${all.join(", ")} |`;
  });
  return ["| fault | tried | held | |", "|---|---|---|---|", ...lines, ""].join("\n");
}
