/** Loading the SDK, the way from run() to the first request, and memory. Loads the build; run `npm run build` first. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { startRefusingModel, writeProject } from "../../../bench/many-files.mjs";
import { median } from "../../../bench/statistics.mjs";

const execute = promisify(execFile);
const door = new URL("../dist/index.js", import.meta.url).href;
const files = 5_000;

/** Calls `report({ name, value, unit, budget, ok })` once per line. */
export async function run(report) {
  const atMost = (name, value, unit, most) => {
    report({ name: `sdk: ${name}`, value: Math.round(value), unit, budget: `≤ ${most}`, ok: value <= most });
  };
  const bare = [];
  const loaded = [];
  for (let round = 0; round < 5; round++) {
    bare.push(await timeOf("0"));
    loaded.push(await timeOf(`await import(${JSON.stringify(door)})`));
  }
  atMost("import, beyond an empty program", median(loaded) - median(bare), "ms", 600);
  const top = await mkdtemp(join(tmpdir(), "muster-bench-"));
  try {
    const { first, second, rss } = await firstRequest(top);
    atMost(`run() to the first request, ${files} files, first run`, first, "ms", 300);
    atMost(`run() to the first request, ${files} files, next run`, second, "ms", 300);
    atMost("memory after two runs", rss, "MB", 250);
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

/** The work of a program by itself, in a process of its own, in ms. */
async function timeOf(work) {
  const started = performance.now();
  await execute(process.execPath, ["--input-type=module", "-e", work]);
  return performance.now() - started;
}

async function firstRequest(top) {
  const [cwd, home] = [join(top, "project"), join(top, "home")];
  await mkdir(home);
  await writeProject(cwd, files);
  const asked = [];
  const model = await startRefusingModel(() => asked.push(performance.timeOrigin + performance.now()));
  const program = fileURLToPath(new URL("./programs/first-request.mjs", import.meta.url));
  const { stdout } = await execute(process.execPath, [program, cwd, home, model.url]);
  model.stop();
  const { started, rss } = JSON.parse(stdout);
  return { first: asked[0] - started[0], second: asked[1] - started[1], rss: rss / 1e6 };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await run(({ name, value, unit, budget, ok }) =>
    process.stdout.write(`${ok ? "ok  " : "SLOW"} ${name}: ${value} ${unit} (${budget})\n`),
  );
}
