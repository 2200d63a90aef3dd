/** The lanes of the tests, fast ones first: which there are and which files they hold. vitest.config.ts makes a project of each. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { usedBy } from "./lanes/imports.mjs";
import { packagesOf } from "./streets.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const seconds = 1_000;

/**
 * Lanes in the order in which they run: a fault of one room is told before anything slow begins. A file is of the first lane
 * whose suffix it has; of the others, what starts nothing is `unit`. `isUsual`: part of `npm test`; the rest is `test:all`.
 */
export const lanes = [
  { name: "unit", is: "no process and no port", isUsual: true, testMs: 60 * seconds },
  { name: "rooms", is: "our own processes, ports, databases and pages", isUsual: true, testMs: 120 * seconds },
  {
    name: "round",
    is: "one whole round of each real agent",
    suffix: "-contract.agent.test.ts",
    isUsual: true,
    testMs: 300 * seconds,
  },
  { name: "agents", is: "the real agents in full", suffix: ".agent.test.ts", isUsual: false, testMs: 300 * seconds },
  { name: "release", is: "what people install", suffix: ".release.test.ts", isUsual: false, testMs: 300 * seconds },
];

/** Modules that start a process or open a port. A file that can use none of them, through any import, is of the lane `unit`. */
const starters =
  /^(node:)?(child_process|cluster|dgram|http|http2|https|net|tls)$|^(@hono\/node-server|@lydell\/node-pty|esbuild|node-pty|pg|playwright-core)$/;

let found;

/** Every test file of the repository, and its lane. */
export function testFiles() {
  found ??= [...packagesOf().flatMap((name) => [`${name}/src`, `${name}/test`]), "test"]
    .flatMap(walk)
    .sort()
    .map((file) => ({ file, lane: laneOf(file) }));
  return found;
}

function laneOf(file) {
  const named = lanes.find(({ suffix }) => suffix !== undefined && file.endsWith(suffix));
  if (named !== undefined) return named.name;
  return [...usedBy(file).modules].some((name) => starters.test(name)) ? "rooms" : "unit";
}

function walk(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ["node_modules", "dist", "recordings"].includes(entry.name) ? [] : walk(path);
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}
