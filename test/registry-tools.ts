import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
/** Beside the agents of tests: once per machine. */
const kept = join(process.env.MUSTER_TEST_AGENTS_DIR ?? join(tmpdir(), "muster-test-agents"), "tools");

/** Programs of the npm registry with what they need, by exact versions. Resolves with the folder of their node_modules. */
export async function toolsOfRegistry(...packages: readonly string[]): Promise<string> {
  const id = createHash("sha256").update(packages.join(" ")).digest("hex").slice(0, 12);
  const folder = join(kept, id);
  if (existsSync(folder)) return join(folder, "node_modules");
  await mkdir(kept, { recursive: true });
  const coming = await mkdtemp(join(kept, "coming-"));
  try {
    await writeFile(join(coming, "package.json"), '{ "private": true }');
    // Of some only data are read, whatever Node the rest of them wants.
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--engine-strict=false"];
    const patience = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"];
    await execute("npm", ["install", ...quiet, ...patience, ...packages], { cwd: coming });
    await rename(coming, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(coming, { recursive: true, force: true });
  }
  return join(folder, "node_modules");
}
