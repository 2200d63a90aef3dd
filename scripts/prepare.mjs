/**
 * Makes a clone ready: installs what node_modules lacks, builds when a source has another content, otherwise does nothing.
 * Uses Node only, because it runs before there is a node_modules.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { keepLinks } from "./prepare/keep-links.mjs";
import { staleDependencies } from "./prepare/stale-dependencies.mjs";
import { packagesOf } from "./streets.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const stamp = join(modules, ".muster", "built");

export function prepare({ build = true } = {}) {
  checkNode();
  install();
  if (build) buildIfChanged();
}

/** `npm ci` only where there is nothing to lose: it deletes node_modules, and with it the links that a person made there. */
function install() {
  const quietly = ["--ignore-scripts", "--no-fund", "--no-audit"];
  if (!existsSync(modules)) {
    say("installing dependencies (npm ci --ignore-scripts)");
    return run("npm", ["ci", ...quietly]);
  }
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const stale = staleDependencies(lock, installedPackages());
  if (stale.length === 0) return;
  say(`installing ${stale.length} dependencies that changed, such as ${stale[0]} (npm install --ignore-scripts)`);
  keepLinks({ modules, lock, work: () => run("npm", ["install", ...quietly]) });
}

/** By content: a switch to another branch and back builds nothing. */
function buildIfChanged() {
  const isWhole = packages().every((folder) => existsSync(join(folder, "dist")));
  const wanted = hash(sources());
  if (isWhole && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say("building (tsc -b, then the bundles of the commands)");
  rmSync(stamp, { force: true });
  run(process.execPath, [join(modules, "typescript/bin/tsc"), "-b"]);
  run(process.execPath, [join(root, "scripts/bundle/bundle-commands.mjs")]);
  mkdirSync(join(modules, ".muster"), { recursive: true });
  writeFileSync(stamp, wanted);
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
  ].map((name) => join("scripts/bundle", name));
  const found = ["package-lock.json", "tsconfig.base.json", "tsconfig.json", ...bundler].map((name) =>
    join(root, name),
  );
  for (const folder of packages()) {
    const settings = ["package.json", "tsconfig.json"].map((name) => join(folder, name));
    found.push(...settings, ...walk(join(folder, "src")));
  }
  return found;
}

/** The folders of the packages that are built. */
function packages() {
  return packagesOf()
    .map((name) => join(root, name))
    .filter((folder) => existsSync(join(folder, "tsconfig.json")));
}

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "fixtures" ? [] : walk(path);
    return /\.(tsx?|css|html|svg)$/.test(entry.name) && !entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

function hash(files) {
  const sum = createHash("sha256").update(process.versions.node);
  for (const file of files.sort())
    sum
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return sum.digest("hex");
}

/** What npm wrote about node_modules; undefined where another program made it, or none. */
function installedPackages() {
  const path = join(modules, ".package-lock.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

function say(text) {
  process.stderr.write(`muster: ${text}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare({ build: process.argv.includes("--build") });
