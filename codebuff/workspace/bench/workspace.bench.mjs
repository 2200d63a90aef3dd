import { spawn } from "node:child_process";
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { CodeMap, listFiles, openWorkspace } from "@muster/codebuff-workspace";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const mappedFiles = 1600;

/** Calls `report({ name, value, unit, budget, ok })` once per line. */
export async function run(report) {
  const around = mkdtempSync(path.join(tmpdir(), "codebuff-bench-"));
  const line = (name, value, unit, budget) => report({ name, value: round(value), unit, budget, ok: value <= budget });
  try {
    await codeMapLines(path.join(around, "map"), line);
    await editLines(path.join(around, "edits"), line);
    await largeTreeLines(path.join(around, "large"), line);
  } finally {
    rmSync(around, { recursive: true, force: true });
  }
}

async function codeMapLines(around, line) {
  const root = path.join(around, "proj");
  const bytes = copySources(root);
  const size = `${mappedFiles} files, ${(bytes / 1e6).toFixed(1)} MB`;
  const cold = await inProcess(root, path.join(around, "cache"));
  line(`code map cold (${size})`, cold.ms, "ms", 2000);
  line("code map cold, memory of the process", cold.rss, "MB", 200);
  const warm = await inProcess(root, path.join(around, "cache"));
  line("code map warm, new process", warm.ms, "ms", 150);
  // Some sources are copies of each other and are parsed once.
  if (cold.parsed < mappedFiles * 0.8 || warm.parsed !== 0)
    throw new Error(`the code map parsed ${cold.parsed} files, then ${warm.parsed}`);
}

/** In a process of its own: memory and grammars of one run must not help the next. */
async function inProcess(root, cacheDirectory) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "--map", root, cacheDirectory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => {
    text += piece;
  });
  await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`the code map ended with ${code}`))));
  });
  return JSON.parse(text);
}

async function mapOnce(root, cacheDirectory) {
  const map = new CodeMap({ root, cacheDirectory });
  const start = performance.now();
  const { parsed } = await map.view();
  const ms = performance.now() - start;
  process.stdout.write(JSON.stringify({ ms, parsed, rss: process.resourceUsage().maxRSS / 1024 }));
  await map.close();
}

async function editLines(around, line) {
  const root = path.join(around, "proj");
  mkdirSync(root, { recursive: true });
  const opening = performance.now();
  const workspace = await openWorkspace({ root, cacheDirectory: path.join(around, "cache") });
  line("open a workspace", performance.now() - opening, "ms", 50);
  writeFileSync(
    path.join(root, "a.ts"),
    Array.from({ length: 2000 }, (_, index) => `const name${index} = ${index};\n`).join(""),
  );
  const hands = workspace.beginRun({ runId: "bench" });
  const times = [];
  for (let index = 0; index < 200; index += 1) {
    const replacements = [{ old: `const name${index} = ${index};`, new: `const name${index} = "${index}";` }];
    const start = performance.now();
    await hands.call([{ toolName: "str_replace", toolCallId: "1", input: { path: "a.ts", replacements } }]);
    times.push(performance.now() - start);
  }
  line("str_replace in a file of 2,000 lines, median", times.sort((a, b) => a - b)[100], "ms", 15);
  await workspace.close();
}

async function largeTreeLines(around, line) {
  const root = path.join(around, "proj");
  makeLargeTree(around, root);
  const workspace = await openWorkspace({ root, cacheDirectory: path.join(around, "cache") });
  const hands = workspace.beginRun({ runId: "bench" });
  const timed = async (work) => {
    const start = performance.now();
    const result = await work();
    return { ms: performance.now() - start, result };
  };
  const call = async (toolName, input) => {
    const [{ output }] = await hands.call([{ toolName, toolCallId: "1", input }]);
    return output[0].value;
  };
  const listed = await timed(() => listFiles({ root }));
  line("list 100,000 files", listed.ms, "ms", 1500);
  const searched = await timed(() => call("code_search", { pattern: "the needle" }));
  line("search 100,000 files for one line", searched.ms, "ms", 3000);
  const globbed = await timed(() => call("glob", { pattern: "**/*.ts" }));
  line("glob 100,000 files by time", globbed.ms, "ms", 3000);
  await workspace.close();
  if (
    listed.result.length !== 100_000 ||
    !searched.result.stdout.includes("needle") ||
    globbed.result.count !== 10_000
  ) {
    throw new Error("the large tree was not searched completely");
  }
}

/** Real sources, evenly taken from what is installed, so that every bench machine with this lock file has the same. */
function copySources(root) {
  const found = [];
  const walk = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const absolute = path.join(directory, entry.name);
      if (entry.isDirectory()) walk(absolute);
      else if (/(?<!\.min)\.(?:ts|mjs|js|tsx|py)$/.test(entry.name) && statSync(absolute).size < 40_000)
        found.push(absolute);
    }
  };
  for (const name of readdirSync(path.join(repository, "node_modules"))) {
    if (!name.startsWith(".") && name !== "@muster") walk(path.join(repository, "node_modules", name));
  }
  found.sort();
  let bytes = 0;
  for (let index = 0; index < mappedFiles; index += 1) {
    const source = found[Math.floor((index * found.length) / mappedFiles)];
    const target = path.join(root, `package${index % 40}`, `part${index % 7}`, `${index}-${path.basename(source)}`);
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(source, target);
    utimesSync(target, 1_000_000, 1_000_000);
    bytes += statSync(target).size;
  }
  return bytes;
}

function makeLargeTree(around, root) {
  mkdirSync(root, { recursive: true });
  const seeds = Array.from({ length: 100 }, (_, index) => {
    const seed = path.join(around, `seed${index}.ts`);
    writeFileSync(seed, `export function symbol${index}() {\n  return ${index};\n}\n`.repeat(20));
    return seed;
  });
  for (let directory = 0; directory < 1000; directory += 1) {
    const target = path.join(root, `group${directory % 10}`, `d${directory}`);
    mkdirSync(target, { recursive: true });
    seeds.forEach((seed, index) => {
      if (directory !== 503 || index > 0) linkSync(seed, path.join(target, `f${index}.ts`));
    });
  }
  writeFileSync(path.join(root, "group3/d503/needle.ts"), "the needle\n");
}

function round(value) {
  return Math.round(value * 10) / 10;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [flag, root, cacheDirectory] = process.argv.slice(2);
  if (flag === "--map") await mapOnce(root, cacheDirectory);
  else {
    const failed = [];
    await run(({ name, value, unit, budget, ok }) => {
      process.stdout.write(
        `${ok ? "ok  " : "OVER"}  ${name.padEnd(52)} ${String(value).padStart(9)} ${unit.padEnd(3)} (budget ${budget})\n`,
      );
      if (!ok) failed.push(name);
    });
    process.exitCode = failed.length === 0 ? 0 : 1;
  }
}
