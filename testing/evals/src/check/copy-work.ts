import { chmod, copyFile, lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "@muster/node";

/**
 * Copies what an agent left, for the check. Links are copied only where they stay inside: one that leads to the checks, or
 * anywhere else, would show or change what is not the agent's. Sockets, pipes and devices are left out. Answers what was left out.
 */
export async function copyWork(from: string, to: string): Promise<string[]> {
  const leftOut: string[] = [];
  const copy = async (folder: string): Promise<void> => {
    await mkdir(join(to, folder), { recursive: true });
    for (const entry of await readdir(join(from, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await copy(path);
      else if (entry.isFile()) await copyPlain(join(from, path), join(to, path));
      else if (entry.isSymbolicLink() && (await staysInside(from, path)))
        await symlink(await readlink(join(from, path)), join(to, path));
      else leftOut.push(path);
    }
  };
  await copy("");
  return leftOut;
}

async function copyPlain(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const { mode } = await lstat(from);
  await chmod(to, mode & 0o777);
}

async function staysInside(root: string, path: string): Promise<boolean> {
  const target = await readlink(join(root, path));
  return !isAbsolute(target) && isInside(root, resolve(root, dirname(path), target));
}
