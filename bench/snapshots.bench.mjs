/** The history of a directory: what 500 turns take on the disk and of a turn's time, and the fork of a large tree beside `cp`. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./statistics.mjs";

const snapshots = new URL("../machine/snapshots/dist/index.js", import.meta.url).href;

export async function run({ report, rounds, scale, say }) {
  const { DirectoryHistory } = await import(snapshots);
  const base = realpathSync(mkdtempSync(join(tmpdir(), "muster-bench-snapshots-")));
  try {
    await turns({ DirectoryHistory, base, report, rounds, scale, say });
    await forks({ DirectoryHistory, base, report, scale, say });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function turns({ DirectoryHistory, base, report, rounds, scale, say }) {
  const files = scale(50_000);
  const root = join(base, "tree");
  const directory = join(base, "store");
  const nameOf = (index) => `d${index % 50}/e${Math.floor(index / 50) % 25}/f${index}.ts`;
  for (let group = 0; group < 1250; group++) {
    mkdirSync(join(root, `d${group % 50}`, `e${Math.floor(group / 50) % 25}`), { recursive: true });
  }
  for (let index = 0; index < files; index++) writeFileSync(join(root, nameOf(index)), textOf(index, 2_000));
  const history = await DirectoryHistory.open({ root, directory });
  const first = performance.now();
  await history.begin({ session: "bench", turn: 1 }, { timeoutMs: 600_000 });
  say(`the first look at ${files} files: ${Math.round(performance.now() - first)} ms`);
  await history.end({ session: "bench", turn: 1 });
  await history.collect();
  const before = sizeOf(directory);
  const times = { begin: [], end: [], walk: [] };
  let changed = 0;
  const count = rounds(500);
  for (let turn = 2; turn < count + 2; turn++) {
    times.walk.push(timedNow(() => walk(root)));
    times.begin.push(await timed(() => history.begin({ session: "bench", turn }, { timeoutMs: 60_000 })));
    for (let file = 0; file < 10; file++) {
      const text = textOf(turn * 10 + file, 2_000);
      writeFileSync(join(root, nameOf((turn * 7919 + file * 104_729) % files)), text);
      changed += text.length;
    }
    times.end.push(await timed(() => history.end({ session: "bench", turn }, { timeoutMs: 60_000 })));
  }
  await history.collect();
  const grown = sizeOf(directory) - before;
  await history.close();
  report({
    name: `store of ${count} turns of 10 changed files in a tree of ${files.toLocaleString("en")}`,
    unit: "kB",
    value: grown / 1_000,
    baseline: changed / 1_000,
    baselineIs: "bytes changed",
  });
  for (const [name, share] of [
    ["p50", 0.5],
    ["p99", 0.99],
  ]) {
    const baseline = at(times.walk, share);
    const baselineIs = "lstat of every file in Node";
    report({
      name: `a snapshot at a turn's end, ${name}`,
      unit: "ms",
      value: at(times.end, share),
      baseline,
      baselineIs,
    });
    report({
      name: `added to a turn's start, ${name}`,
      unit: "ms",
      value: at(times.begin, share),
      baseline,
      baselineIs,
    });
  }
}

async function forks({ DirectoryHistory, base, report, scale, say }) {
  const root = join(base, "large");
  const megabytes = scale(1_000);
  say(`a tree of ${megabytes} MB`);
  for (let index = 0; index < megabytes; index++) {
    mkdirSync(join(root, `d${index % 20}`), { recursive: true });
    writeFileSync(join(root, `d${index % 20}`, `f${index}`), Buffer.alloc(1_000_000, index % 251));
  }
  const history = await DirectoryHistory.open({ root, directory: join(base, "store") });
  await history.begin({ session: "bench", turn: 1 }, { timeoutMs: 600_000 });
  await history.end({ session: "bench", turn: 1 });
  appendFileSync(join(root, "d0", "f0"), "later\n");
  const times = { fork: [], cp: [] };
  for (let round = 0; round < 3; round++) {
    const [fork, copy] = [join(base, `fork${round}`), join(base, `copy${round}`)];
    times.cp.push(timedNow(() => execFileSync("cp", ["-a", "--reflink=auto", root, copy])));
    rmSync(copy, { recursive: true });
    times.fork.push(await timed(() => history.materialize({ session: "bench", turn: 1, into: fork })));
    rmSync(fork, { recursive: true });
  }
  await history.close();
  report({
    name: `a directory as a copy of a snapshot of ${megabytes} MB`,
    unit: "ms",
    value: median(times.fork),
    baseline: median(times.cp),
    baselineIs: "cp -a --reflink=auto",
  });
}

/** Not random and hardly to be compressed: what programs write is in between. */
function textOf(seed, length) {
  let state = seed + 1;
  let text = "";
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${state.toString(36)} `;
  }
  return `${text.slice(0, length - 1)}\n`;
}

function walk(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) walk(path);
    else statSync(path);
  }
}

function sizeOf(directory) {
  return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(directory, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : statSync(path).size);
  }, 0);
}

function at(times, share) {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

async function timed(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function timedNow(work) {
  const from = performance.now();
  work();
  return performance.now() - from;
}
