/** The npm tarballs: one for each command and each library. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stageCommand } from "./command-package.mjs";
import { commands } from "./commands.mjs";
import { libraryRooms, stageLibrary } from "./library-package.mjs";
import { packFolder } from "./tarball.mjs";

/** Resolves with the paths of the tarballs. */
export async function makeNpmPackages({ folder, time }) {
  const stages = [
    ...Object.keys(commands).map((name) => (staged) => stageCommand(name, staged)),
    ...libraryRooms.map((room) => (staged) => stageLibrary(room, staged)),
  ];
  await mkdir(folder, { recursive: true });
  const tarballs = [];
  for (const stage of stages) {
    const top = await mkdtemp(join(tmpdir(), "muster-package-"));
    try {
      const { name, version } = await stage(join(top, "package"));
      const file = join(folder, `${name.slice(1).replace("/", "-")}-${version}.tgz`);
      await packFolder({ folder: top, file, time });
      tarballs.push(file);
    } finally {
      await rm(top, { recursive: true, force: true });
    }
  }
  return tarballs;
}
