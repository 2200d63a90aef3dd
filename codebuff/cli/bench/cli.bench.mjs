/** How long the command takes to answer, to reach the model, and what it holds while idle. Runs the build. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startRefusingModel, writeProject } from "../../../bench/many-files.mjs";
import { residentMegabytes } from "../../../bench/processes.mjs";
import { median } from "../../../bench/statistics.mjs";

const execute = promisify(execFile);
const program = fileURLToPath(new URL("../bin/codebuff.cjs", import.meta.url));
const files = 5_000;

/** Calls `report` once per line; ratios are to a program that does nothing, measured in turn with it. */
export async function run(report) {
  for (const flag of ["--version", "--help"]) {
    const bare = [];
    const ours = [];
    for (let round = 0; round < 7; round++) {
      bare.push(await timeOf(["-e", "0"]));
      ours.push(await timeOf([program, flag]));
    }
    const [value, baseline] = [median(ours), median(bare)];
    const ratio = value / baseline;
    const name = `codebuff ${flag}`;
    report({ name, value, unit: "ms", baseline, baselineIs: "node -e 0", ratio, budget: "≤ 4 ×", ok: ratio <= 4 });
  }
  const top = await mkdtemp(join(tmpdir(), "muster-bench-"));
  try {
    await firstRequest(report, top);
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

async function timeOf(args) {
  const started = performance.now();
  await execute(process.execPath, args);
  return performance.now() - started;
}

/** From the start of a kept-open process to its first request on a project of many files, and its memory afterwards. */
async function firstRequest(report, top) {
  const [cwd, home] = [join(top, "project"), join(top, "home")];
  await mkdir(home);
  await writeProject(cwd, files);
  let asked;
  const model = await startRefusingModel(() => {
    asked ??= performance.now();
  });
  const env = { PATH: process.env.PATH, HOME: home, ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: model.url };
  for (const round of ["first start", "second start"]) {
    asked = undefined;
    const started = performance.now();
    const child = spawn(process.execPath, [program, "--input-format", "stream-json"], { cwd, env });
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stdin.write('{"type":"user_message","text":"hi"}\n');
    while (!out.includes('"type":"finish"')) await once(child.stdout, "data");
    const value = asked - started;
    const name = `codebuff: start to first request, ${files} files, ${round}`;
    report({ name, value, unit: "ms", budget: "≤ 600", ok: value <= 600 });
    const rss = await residentMegabytes(child.pid);
    if (round === "second start")
      report({
        name: "codebuff: memory of an idle kept-open process",
        value: rss,
        unit: "MB",
        budget: "≤ 250",
        ok: rss <= 250,
      });
    child.stdin.end();
    await once(child, "close");
  }
  model.stop();
}
