/** The daemon in the forms one can install, each made in a folder of its own. */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { stageCommand } from "../release/command-package.mjs";
import { makeExecutable } from "../release/executables.mjs";
import { ownTarget } from "../release/targets.mjs";
import { muslCommand } from "./musl-root.mjs";

const name = "sandbox-daemon";

/** form → what it is, and how it is made in a folder: resolves with the program. */
export const forms = {
  bundle: {
    is: "what the npm tarball holds, run by this Node, without a code cache",
    async make(folder) {
      const { bin } = await stageCommand(name, folder);
      return join(folder, bin[name]);
    },
  },
  executable: {
    is: "the single executable for this platform, with nothing on its PATH",
    make: (folder) => makeExecutable({ name, target: ownTarget, folder }),
    isAlone: true,
  },
  musl: {
    is: "the one for linux-x64-musl in a root with musl (needs root, apt-get and a C compiler), with nothing on its PATH",
    make: async (folder) => muslCommand(await makeExecutable({ name, target: "linux-x64-musl", folder }), folder),
    isAlone: true,
  },
};

/** A form by its name, or a program by its path. Resolves with the program and its PATH. */
export async function makeForm(wanted, folder) {
  if (!Object.hasOwn(forms, wanted)) return { program: resolve(wanted), path: process.env.PATH };
  const { make, isAlone } = forms[wanted];
  const program = await make(join(folder, wanted));
  const nothing = join(folder, "empty");
  await mkdir(nothing, { recursive: true });
  return { program, path: isAlone ? nothing : process.env.PATH };
}
