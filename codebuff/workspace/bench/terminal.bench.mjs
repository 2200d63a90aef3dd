// Times of the terminal and the snapshots. Loads the build: npm run build first.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Snapshots } from "@muster/snapshots";
import { Terminal } from "../dist/terminal/index.js";

/** Calls `report({ name, value, unit, budget, ok })` once per line; `budget` is null where there is none. */
export async function run(report) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "codebuff-bench-")));
  const line = (name, value, unit, budget, ok = budget === null || value <= budget) =>
    report({ name, value: Math.round(value * 100) / 100, unit, budget, ok });
  try {
    await benchTerminal(base, line);
    await benchSnapshots(base, line);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function benchTerminal(base, line) {
  const root = join(base, "empty");
  mkdirSync(root);
  const open = (options) =>
    new Terminal({ root, stateDirectory: join(base, "state"), environment: { PATH: process.env.PATH }, ...options });

  const first = [];
  for (let round = 0; round < 5; round++) {
    const terminal = open();
    first.push(await timed(() => terminal.run({ command: "echo hi" })));
    await terminal.close();
  }
  line("terminal: first command, new shell", median(first.slice(1)), "ms", 100);

  const terminal = open();
  await terminal.run({ command: "true" });
  // In turns, so that whatever else the machine does falls on both.
  const warm = [];
  const fresh = [];
  for (let round = 0; round < 1000; round++) {
    warm.push(await timed(() => terminal.run({ command: "true" })));
    if (round % 10 === 0) fresh.push(await timed(freshShell));
  }
  line("terminal: warm command, median of 1000", median(warm), "ms", 3);
  const ratio = median(fresh) / median(warm);
  line("terminal: times faster than a fresh bash -c", ratio, "×", 3, ratio >= 3);

  const abort = [];
  for (let round = 0; round < 10; round++) {
    const seconds = `300.${process.pid}${round}`;
    const controller = new AbortController();
    const running = terminal.run({ command: `bash -c 'sleep ${seconds} & sleep ${seconds}'` }, controller);
    while (countProcesses(seconds) < 2) await delay(5);
    abort.push(
      await timed(async () => {
        controller.abort();
        await running;
      }),
    );
    if (countProcesses(seconds) > 0) throw new Error("a process outlived the abort");
  }
  line("terminal: abort → return, worst of 10", Math.max(...abort), "ms", 200);

  const stubborn = [];
  for (let round = 0; round < 5; round++) {
    const controller = new AbortController();
    const ready = join(root, `ready-${round}`);
    const command = `bash -c 'trap "" TERM INT HUP; touch ${ready}; while :; do sleep 0.2; done'`;
    const running = terminal.run({ command }, controller);
    while (!readdirSync(root).includes(`ready-${round}`)) await delay(5);
    stubborn.push(
      await timed(async () => {
        controller.abort();
        await running;
      }),
    );
  }
  line("terminal: abort of a program that ignores signals", Math.max(...stubborn), "ms", 200);

  await terminal.run({ command: "sleep 30", yield_seconds: 0.3 }, { agentMode: true });
  line(
    "terminal: CTRL_C → shell usable",
    await timed(() => terminal.run({ command_signal: "CTRL_C" }, { agentMode: true })),
    "ms",
    300,
  );

  const before = process.memoryUsage().rss;
  const flood = await timed(() => terminal.run({ command: "head -c 10000000 /dev/zero | tr '\\0' 'x' | fold -w 100" }));
  line("terminal: 10 MB of output", flood, "ms", null);
  line("terminal: memory after 10 MB of output", (process.memoryUsage().rss - before) / 1024 / 1024, "MB more", 20);
  await terminal.close();
}

async function benchSnapshots(base, line) {
  const root = join(base, "project");
  for (let index = 0; index < 10_000; index++) {
    const directory = join(root, `package-${index % 20}`, `folder-${index % 100}`);
    if (index < 100) mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `file-${index}.ts`), `export const value${index} = ${index};\n`.repeat(40));
  }
  const snapshots = await Snapshots.open({ root, directory: join(base, "snapshots") });
  line("snapshots: first of 10,000 files", await timed(() => snapshots.prepare()), "ms", null);
  // Entries as new as the index itself are read again, which a session sees only in its first second.
  await delay(1100);
  await snapshots.settle();
  line("snapshots: 10,000 files, nothing changed", await medianOf(9, () => snapshots.checkpoint("same")), "ms", 150);
  let change = 0;
  const little = await medianOf(
    9,
    () => snapshots.checkpoint("little"),
    () => {
      change++;
      for (let index = 0; index < 10; index++) {
        writeFileSync(join(root, `package-${index}`, `folder-${index}`, `file-${index}.ts`), `changed ${change}\n`);
      }
      writeFileSync(join(root, `new-${change}.ts`), "new\n");
    },
  );
  line("snapshots: 10,000 files, 11 changed", little, "ms", 300);
  await snapshots.settle();
  rmSync(join(root, "package-0"), { recursive: true });
  line("snapshots: undo of 500 deleted files", await timed(() => snapshots.undo({ force: true })), "ms", null);
  await snapshots.close();
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function medianOf(rounds, work, prepare = () => {}) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    prepare();
    times.push(await timed(work));
  }
  return median(times);
}

function freshShell() {
  return new Promise((resolve) => spawn("bash", ["-c", "true"]).on("close", resolve));
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function countProcesses(argument) {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument);
    } catch {
      return false;
    }
  }).length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await run(({ name, value, unit, budget, ok }) => {
    const limit = budget === null ? "" : `budget ${budget}`;
    process.stdout.write(
      `${name.padEnd(52)} ${String(value).padStart(9)} ${unit.padEnd(8)} ${limit.padEnd(12)} ${ok ? "ok" : "OVER"}\n`,
    );
  });
}
