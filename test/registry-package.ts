import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { x } from "tar";

const execute = promisify(execFile);
/** Beside the agents of tests: once per machine. */
const kept = join(process.env.MUSTER_TEST_AGENTS_DIR ?? join(tmpdir(), "muster-test-agents"), "packages");

/**
 * What comes from the npm registry, or undefined where that cannot be reached: the tests of it are skipped, and why is said.
 * Only that: a package which is not what was pinned, or does not unpack, fails.
 */
export async function ifReachable<T>(what: string, fetching: Promise<T>): Promise<T | undefined> {
  try {
    return await fetching;
  } catch (error) {
    const { cmd = "", stderr = "" } = error as { cmd?: string; stderr?: string };
    if (!cmd.startsWith("npm pack")) throw error;
    process.stderr.write(`skipped: ${what} cannot be fetched here: ${stderr.trim().split("\n").at(0) ?? ""}\n`);
    return undefined;
  }
}

/** A package of the npm registry, unpacked: `name@version`. Resolves with its folder. */
export async function packageOfRegistry(spec: string): Promise<string> {
  const folder = join(kept, spec.replaceAll(/[@/]/g, "-"));
  if (existsSync(folder)) return join(folder, "package");
  await mkdir(kept, { recursive: true });
  const coming = await mkdtemp(join(kept, "coming-"));
  try {
    const { stdout } = await execute("npm", ["pack", "--silent", "--pack-destination", coming, spec], { cwd: coming });
    await x({ file: join(coming, stdout.trim()), cwd: coming });
    await rename(coming, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(coming, { recursive: true, force: true });
  }
  return join(folder, "package");
}
