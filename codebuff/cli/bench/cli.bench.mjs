/** How long the command takes to answer, to reach the model, and what it holds while idle. Runs the build. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

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
  for (let n = 0; n < files; n++) {
    const folder = join(cwd, `src/part-${n % 50}`);
    if (n < 50) await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `file-${n}.ts`), `export function work${n}(x: number) { return x + ${n}; }\n`);
  }
  let asked;
  const server = createServer((request, response) => {
    asked ??= performance.now();
    request.resume();
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"enough"}}');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const env = { PATH: process.env.PATH, HOME: home, ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: url };
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
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
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
  server.closeAllConnections();
  server.close();
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
