/**
 * Makes a clone ready: installs when the lock file changed, builds when a source changed, otherwise does nothing.
 * Uses Node only, because it runs before there is a node_modules.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packagesOf } from "./streets.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
const stamps = join(root, "node_modules", ".muster");

export function prepare({ build = true } = {}) {
  checkNode();
  const installed = hash([join(root, "package-lock.json")], "content");
  if (stampOf("installed") !== installed) {
    say("installing dependencies (npm ci --ignore-scripts)");
    run("npm", ["ci", "--ignore-scripts", "--no-fund", "--no-audit"]);
    writeStamp("installed", installed);
    rmSync(join(stamps, "built"), { force: true });
  }
  if (!build) return;
  const built = hash(sources(), "modified");
  if (stampOf("built") !== built) {
    say("building (tsc -b, then the bundles of the commands)");
    run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b"]);
    run(process.execPath, [join(root, "scripts/bundle-commands.mjs")]);
    writeStamp("built", built);
  }
}

/** Runs a command in the repository with our terminal; a failure ends this process with the same code. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: false, ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Muster needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(2);
}

function sources() {
  const bundler = [
    "bundle.mjs",
    "bundle-commands.mjs",
    "bundle-page.mjs",
    "codebuff-parts.mjs",
    "record-code-cache.cjs",
  ].map((name) => join("scripts", name));
  const found = ["tsconfig.base.json", "tsconfig.json", ...bundler].map((name) => join(root, name));
  for (const folder of packagesOf().map((name) => join(root, name))) {
    found.push(join(folder, "tsconfig.json"), ...walk(join(folder, "src")));
  }
  return found;
}

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "fixtures" ? [] : walk(path);
    return /\.(tsx?|css|html|svg)$/.test(entry.name) && !entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

function hash(files, by) {
  const sum = createHash("sha256").update(process.versions.node);
  for (const file of files) sum.update(by === "content" ? readFileSync(file) : `${file}:${statSync(file).mtimeMs}\n`);
  return sum.digest("hex");
}

function stampOf(name) {
  const file = join(stamps, name);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function writeStamp(name, value) {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), value);
}

function say(text) {
  process.stderr.write(`muster: ${text}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare({ build: process.argv.includes("--build") });
