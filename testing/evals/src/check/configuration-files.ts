import { cp, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";

/**
 * Files by which a test runner, a build or a shell is told what to do. An agent that edits one can make any test pass, so
 * the check sees them as the task began with them, or not at all where it began without.
 */
const configuration =
  /^(?:package\.json|\.npmrc|\.mocharc\.\w+|jest\.config\.\w+|vitest\.config\.\w+|vite\.config\.\w+|babel\.config\.\w+|\.babelrc|tsconfig(?:\.\w+)?\.json|conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|noxfile\.py|sitecustomize\.py|usercustomize\.py|\.pth|\.coveragerc|Makefile|GNUmakefile|makefile|justfile|\.envrc|\.env|\.bashrc|\.bash_profile|\.profile|\.gitattributes|\.editorconfig)$|\.pth$/;

/** Folders that are test configuration as a whole: settings and hooks of git, and what a package manager installed. */
const folders = new Set(["node_modules", "__pycache__", ".venv", "venv"]);

/** Puts the test configuration of `work` back to what it was in `start`; answers which files differed. */
export async function restoreConfiguration(
  work: string,
  { start, keeps }: { start: string; keeps: readonly string[] },
): Promise<string[]> {
  const isKept = (path: string) => keeps.includes(path) || keeps.includes(basename(path));
  const [before, after] = await Promise.all([configurationIn(start), configurationIn(work)]);
  const restored: string[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (isKept(path) || (before.get(path) === after.get(path) && before.has(path))) continue;
    restored.push(path);
    await rm(join(work, path), { recursive: true, force: true });
    if (!before.has(path)) continue;
    await mkdir(dirname(join(work, path)), { recursive: true });
    await cp(join(start, path), join(work, path), { recursive: true, verbatimSymlinks: true });
  }
  return restored.sort();
}

/** path → what it is, for each file and folder of test configuration. A folder always differs: it is put back as a whole. */
async function configurationIn(root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const look = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = relative(root, path);
      if (entry.name === ".git") continue;
      if (folders.has(entry.name)) found.set(name, `folder ${Math.random()}`);
      else if (entry.isDirectory()) await look(path);
      else if (configuration.test(entry.name)) found.set(name, await fingerprint(path));
    }
  };
  await look(root);
  return found;
}

async function fingerprint(path: string): Promise<string> {
  const { size, mode } = await lstat(path);
  const { createHash } = await import("node:crypto");
  const { readFile, readlink } = await import("node:fs/promises");
  const content = await readlink(path).catch(() => readFile(path));
  return `${mode} ${size} ${createHash("sha256").update(content).digest("hex")}`;
}
