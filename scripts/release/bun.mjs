/** Bun's binaries from the npm registry: fetched once, verified, kept in .muster/. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { x } from "tar";
import { root } from "../prepare.mjs";
import { bunVersion, targets } from "./targets.mjs";

const execute = promisify(execFile);
const kept = join(root, ".muster/bun");

/** Resolves with the path of the binary for a target. */
export async function bunOf(target) {
  const { bun, integrity, suffix = "" } = targets[target];
  const folder = join(kept, `${bun}-${bunVersion}`);
  const program = join(folder, "package/bin", `bun${suffix}`);
  if (!existsSync(program)) await fetchPackage(`@oven/bun-${bun}@${bunVersion}`, integrity, folder);
  await chmod(program, 0o755);
  return program;
}

async function fetchPackage(name, integrity, folder) {
  await mkdir(kept, { recursive: true });
  const coming = await mkdtemp(join(kept, "coming-"));
  try {
    const { stdout } = await execute("npm", ["pack", "--loglevel=error", "--pack-destination", coming, name], {
      cwd: root,
    });
    const tarball = join(coming, stdout.trim());
    const found = `sha512-${createHash("sha512")
      .update(await readFile(tarball))
      .digest("base64")}`;
    if (found !== integrity) throw new Error(`${name} is not what was pinned: ${found}`);
    await x({ file: tarball, cwd: coming });
    await rm(tarball);
    // Last, and at once: another build may be fetching the same.
    await rename(coming, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(coming, { recursive: true, force: true });
  }
}
