import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PackedPackage } from "./loopback-registry.ts";

// By address: the scripts have no types.
const script = (name: string) => import(new URL(`../../scripts/release/${name}.mjs`, import.meta.url).href);
const { stageLibrary } = await script("library-package");
const { stageCommand } = await script("command-package");
const { packFolder } = await script("tarball");

/** A library as it is released, as a tarball in `top`. */
export function packLibrary(room: string, top: string): Promise<PackedPackage> {
  return pack(room.replace("/", "-"), top, (folder) => stageLibrary(room, folder));
}

/** A command as it is released, as a tarball in `top`. */
export function packCommand(name: string, top: string): Promise<PackedPackage> {
  return pack(name, top, (folder) => stageCommand(name, folder));
}

async function pack(name: string, top: string, stage: (folder: string) => Promise<unknown>): Promise<PackedPackage> {
  const folder = join(top, name);
  await stage(join(folder, "package"));
  const manifest = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8"));
  const file = join(top, `${name}.tgz`);
  await packFolder({ folder, file, time: new Date(0) });
  return { file, manifest };
}

/** The registry that npm is set to. */
export async function registryOfNpm(): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"]);
  return stdout.trim();
}
