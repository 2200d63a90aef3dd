import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Gate, openWorkspace } from "@muster/codebuff-workspace";
import { Snapshots } from "@muster/snapshots";

const execute = promisify(execFile);
const commands = [
  "ls -la src",
  "git --no-pager log -n 3 --stat && git status --short",
  'for f in *.ts; do wc -l "$f"; done | sort -rn | head -5',
  "cat <<EOF | grep -c x\n$(git rev-parse HEAD)\nEOF",
  "find . -name '*.ts' -print0 | xargs -0 grep -n alpha",
];

/** Calls `report({ name, value, unit, budget, ok })` once per line. */
export async function run(report) {
  const around = realpathSync(mkdtempSync(path.join(tmpdir(), "codebuff-policy-bench-")));
  const line = (name, value, unit, budget) =>
    report({ name, value: Math.round(value * 100) / 100, unit, budget, ok: value <= budget });
  const root = path.join(around, "proj");
  mkdirSync(path.join(root, "src"), { recursive: true });
  for (let at = 0; at < 500; at += 1)
    writeFileSync(path.join(root, "src", `f${at}.ts`), `export const n${at} = ${at};\n`);
  try {
    await readerLines(root, line);
    await sandboxLines(root, line);
    await snapshotLines(around, root, line);
  } finally {
    rmSync(around, { recursive: true, force: true });
  }
}

async function readerLines(root, line) {
  const workspace = await openWorkspace({ root, confinement: "table" });
  const gate = new Gate({ project: workspace.project, writes: "denied" });
  const first = performance.now();
  await gate.command("ls");
  line("bash reader, first command with its grammar", performance.now() - first, "ms", 500);
  const rounds = 200;
  const start = performance.now();
  for (let round = 0; round < rounds; round += 1) for (const command of commands) await gate.command(command);
  line("a PLAN command read and judged", ((performance.now() - start) * 1000) / (rounds * commands.length), "µs", 5000);
  await workspace.close();
}

/** Each beside a bare bash of the same moment. */
async function sandboxLines(root, line) {
  const bare = await median(20, () => execute("/bin/bash", ["-c", "cat src/f1.ts"], { cwd: root }));
  for (const confinement of ["table", "kernel"]) {
    const workspace = await openWorkspace({ root, confinement: confinement === "table" ? "table" : undefined });
    if (workspace.confinement === confinement) {
      const hands = workspace.beginRun({ runId: "bench", writes: "denied" });
      const verdict = await hands.gate.command("cat src/f1.ts");
      if (!verdict.ok) throw new Error(verdict.message);
      const confined = await median(20, () => execute("/bin/bash", ["-c", verdict.run], { cwd: root }));
      line(
        `a PLAN command by the ${confinement}, beside a bare bash`,
        confined / bare,
        "×",
        confinement === "table" ? 5 : 60,
      );
      await hands.end();
    }
    await workspace.close();
  }
}

async function snapshotLines(around, root, line) {
  const bare = await median(20, async () => execFileSync("git", ["--version"]));
  const snapshots = await Snapshots.open({ root, directory: path.join(around, "store") });
  await snapshots.checkpoint("first");
  let number = 0;
  const round = async () => {
    number += 1;
    await snapshots.checkpoint(`${number}`);
    writeFileSync(path.join(root, "src", "f1.ts"), `${number}\n`);
    await snapshots.settle();
    await snapshots.undo();
    await snapshots.redo();
  };
  line("checkpoint, settle, undo and redo of 500 files, in starts of git", (await median(10, round)) / bare, "×", 120);
  await snapshots.close();
}

async function median(count, work) {
  const times = [];
  for (let at = 0; at < count; at += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(count / 2)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await run(({ name, value, unit, budget, ok }) => {
    process.stdout.write(`${ok ? "ok  " : "OVER"}  ${name.padEnd(64)} ${value} ${unit} (budget ${budget})\n`);
  });
}
