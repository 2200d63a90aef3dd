/** Loading the SDK, the way from run() to the first request, and memory. Loads the build; run `npm run build` first. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const door = new URL("../dist/index.js", import.meta.url).href;
const files = 5_000;

/** Calls `report({ name, value, unit, budget, ok })` once per line. */
export async function run(report) {
  const atMost = (name, value, unit, most) => {
    report({ name: `sdk: ${name}`, value: Math.round(value), unit, budget: `≤ ${most}`, ok: value <= most });
  };
  const bare = await median(5, () => timeOf("0"));
  const loaded = await median(5, () => timeOf(`await import(${JSON.stringify(door)})`));
  atMost("import, beyond an empty program", loaded - bare, "ms", 600);
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
  for (let n = 0; n < files; n++) {
    const folder = join(cwd, `src/part-${n % 50}`);
    if (n < 50) await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `file-${n}.ts`), `export function work${n}(x: number) { return x + ${n}; }\n`);
  }
  let onRequest = () => undefined;
  const server = createServer((request, response) => {
    onRequest();
    request.resume();
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"enough"}}');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const program = fileURLToPath(new URL("./programs/first-request.mjs", import.meta.url));
  const asked = [];
  onRequest = () => asked.push(performance.timeOrigin + performance.now());
  const { stdout } = await execute(process.execPath, [program, cwd, home, `http://127.0.0.1:${server.address().port}`]);
  server.closeAllConnections();
  server.close();
  const { started, rss } = JSON.parse(stdout);
  return { first: asked[0] - started[0], second: asked[1] - started[1], rss: rss / 1e6 };
}

async function median(times, measure) {
  const values = [];
  for (let n = 0; n < times; n++) values.push(await measure());
  return values.sort((one, other) => one - other)[Math.floor(times / 2)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await run(({ name, value, unit, budget, ok }) =>
    process.stdout.write(`${ok ? "ok  " : "SLOW"} ${name}: ${value} ${unit} (${budget})\n`),
  );
}
