/**
 * The command `codebuff` as one tarball for this platform, with everything it needs inside: `npm install <tarball>` needs
 * no registry, and unpacking it is enough. `node scripts/pack-codebuff.mjs [folder]` prints where it lies. Needs a build.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { isolate, packagesWithFiles } from "./bundle/codebuff-parts.mjs";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const { worker, engine } = isolate;

/** Resolves with the path of the tarball. */
export async function packCodebuff(folder) {
  const top = await mkdtemp(join(tmpdir(), "muster-pack-"));
  try {
    const staged = join(top, "package");
    const own = JSON.parse(await readFile(join(root, "codebuff/cli/package.json"), "utf8"));
    await stageProgram(staged);
    const bundled = await stagePackages(staged, [...packagesWithFiles, engine]);
    await writeJson(join(staged, "package.json"), manifestOf(own, bundled));
    const { stdout } = await execute("npm", ["pack", "--silent", "--pack-destination", top], { cwd: staged });
    const tarball = join(resolve(folder), basename(stdout.trim()).replace(/\.tgz$/, `-${platform}.tgz`));
    await mkdir(dirname(tarball), { recursive: true });
    await cp(join(top, stdout.trim()), `${tarball}.new`);
    await rename(`${tarball}.new`, tarball);
    return tarball;
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

/** The same places as in the repository: the bundle finds its version and its thread from where its sources were. */
async function stageProgram(staged) {
  for (const path of ["codebuff/cli/package.json", "codebuff/cli/bin", "codebuff/cli/dist/bundle"]) {
    await cp(join(root, path), join(staged, path), { recursive: true });
  }
  await build({
    entryPoints: [join(root, worker)],
    outfile: join(staged, worker),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: [engine],
    legalComments: "eof",
    logLevel: "warning",
  });
  await writeJson(join(staged, "codebuff/runtime/package.json"), { type: "module", private: true });
}

/** Packages with what they depend on, as far as it is installed here: other platforms' programs are not. */
async function stagePackages(staged, names) {
  const found = new Map();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const manifest = await readFile(join(root, "node_modules", name, "package.json"), "utf8").catch(() => undefined);
    if (manifest === undefined || found.has(name)) continue;
    const parsed = JSON.parse(manifest);
    found.set(name, parsed);
    waiting.push(...Object.keys({ ...parsed.dependencies, ...parsed.optionalDependencies }));
  }
  for (const name of names) if (!found.has(name)) throw new Error(`${name} is not installed`);
  for (const [name, manifest] of found) {
    const target = join(staged, "node_modules", name);
    await cp(join(root, "node_modules", name), target, { recursive: true, dereference: true, filter: isNeeded });
    await writeJson(join(target, "package.json"), withoutMissing(manifest, found));
  }
  return Object.fromEntries([...found].map(([name, { version }]) => [name, version]).sort());
}

function isNeeded(path) {
  return !/\.(map|md|d\.[cm]?ts)$|\/(debug|docs|test)$/.test(path.slice(root.length)) || path.endsWith("LICENSE.md");
}

/** npm looks in the registry for what a manifest names and the tarball does not hold. */
function withoutMissing({ scripts: _, devDependencies: __, ...manifest }, found) {
  const present = (wanted = {}) => Object.fromEntries(Object.entries(wanted).filter(([name]) => found.has(name)));
  const { dependencies, optionalDependencies } = manifest;
  return { ...manifest, dependencies: present({ ...dependencies, ...optionalDependencies }), optionalDependencies: {} };
}

function manifestOf({ name, version, description, license, engines }, bundled) {
  return {
    name,
    version,
    private: true,
    description,
    license,
    engines,
    os: [process.platform],
    cpu: [process.arch],
    bin: { codebuff: "codebuff/cli/bin/codebuff.cjs" },
    files: ["codebuff"],
    dependencies: bundled,
    bundleDependencies: Object.keys(bundled),
  };
}

async function writeJson(path, value) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${await packCodebuff(process.argv[2] ?? ".")}\n`);
}
