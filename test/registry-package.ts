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
 * Only that: a package that does not exist, is not what was pinned, or does not unpack, fails.
 */
export async function ifReachable<T>(what: string, fetching: Promise<T>): Promise<T | undefined> {
  try {
    return await fetching;
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    process.stderr.write(`skipped: ${what} cannot be fetched here: ${unreachable.exec(String(error))?.[0]}\n`);
    return undefined;
  }
}

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH/;

/** What npm says where there is no registry. */
export function isUnreachable(error: unknown): boolean {
  return unreachable.test(String(error));
}

/** A package of the npm registry, unpacked: `name@version`. Resolves with its folder. */
export async function packageOfRegistry(spec: string): Promise<string> {
  const folder = join(kept, spec.replaceAll(/[@/]/g, "-"));
  if (existsSync(folder)) return join(folder, "package");
  await mkdir(kept, { recursive: true });
  const coming = await mkdtemp(join(kept, "coming-"));
  try {
    // Where there is no registry that is soon known.
    const patience = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"];
    const args = ["pack", "--loglevel=error", ...patience, "--pack-destination", coming, spec];
    const { stdout } = await execute("npm", args, { cwd: coming });
    await x({ file: join(coming, stdout.trim()), cwd: coming });
    await rename(coming, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(coming, { recursive: true, force: true });
  }
  return join(folder, "package");
}
