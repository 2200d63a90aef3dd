import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const version = "24.21.0";

/** Node 24 for what needs it: this one, or the one of the npm registry, unpacked once per machine and never installed. */
export async function newerNode(): Promise<string> {
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  const folder = process.env.MUSTER_TEST_AGENTS_DIR ?? join(tmpdir(), "muster-test-agents");
  const place = join(folder, `node-${version}`);
  const node = join(place, "package", "bin", "node");
  if (existsSync(node)) return node;
  await mkdir(folder, { recursive: true });
  const unpacked = await mkdtemp(join(folder, "node-"));
  try {
    const name = `node-${process.platform}-${process.arch}`;
    await run("npm", ["pack", `${name}@${version}`, "--silent"], { cwd: unpacked });
    await run("tar", ["-xzf", `${name}-${version}.tgz`], { cwd: unpacked });
    await rm(join(unpacked, `${name}-${version}.tgz`));
    // Another test may have been quicker: its copy is as good.
    await rename(unpacked, place).catch((error: unknown) => {
      if (!existsSync(node)) throw error;
    });
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
  return node;
}
