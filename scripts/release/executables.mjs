/** A command as one file that needs no Node: our code compiled into Bun's binary of a platform. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { pageInputs } from "../bundle/bundle-page.mjs";
import { bunOf } from "./bun.mjs";
import { commands } from "./commands.mjs";
import { embeddedPage } from "./embedded-page.mjs";
import { executableCode, executableInputs } from "./executable-code.mjs";
import { checkHeader } from "./header.mjs";
import { ownTarget, targets } from "./targets.mjs";

const execute = promisify(execFile);

const flags = [
  "--compile",
  "--bytecode",
  "--splitting",
  "--format=esm",
  "--minify",
  // A configuration in the directory where somebody starts the daemon is none of its business.
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  // Most code of a start runs once: not compiling it saves 5 MB; what runs often is compiled later.
  "--compile-jit-policy=20",
];

/** The paths of what of ours and of others is in the executables of these commands, from the root of the repository. */
export async function inputsOfExecutables(names) {
  const inputs = await pageInputs();
  for (const name of names) {
    const { folder: room, notInExecutable: external = [] } = commands[name];
    inputs.push(
      ...(await executableInputs({ entry: join(room, "src/main.ts"), name, external, plugins: [embeddedPage] })),
    );
  }
  return inputs;
}

/** Writes `<name>-<target>` into the folder; resolves with its path. */
export async function makeExecutable({ name, target, folder }) {
  const runs = ownTarget;
  if (runs === undefined) throw new Error(`Bun for ${process.platform}-${process.arch} is not in the table of targets`);
  const top = await mkdtemp(join(tmpdir(), "muster-executable-"));
  try {
    const { folder: room, notInExecutable: external = [] } = commands[name];
    const entry = join(room, "src/main.ts");
    for (const { file, text } of await executableCode({ entry, name, external, plugins: [embeddedPage] })) {
      await writeFile(join(top, file), text);
    }
    const { suffix = "" } = targets[target];
    // Always in a directory of its own under the same name: the name is part of the bytes.
    const made = join(top, `${name}.out${suffix}`);
    const args = ["build", ...flags, `--target=bun-${target}`, `--compile-executable-path=${await bunOf(target)}`];
    const left = external.map((outside) => `--external=${outside}`);
    await execute(await bunOf(runs), [...args, ...left, `--outfile=${name}.out`, `${name}.js`], { cwd: top });
    await checkHeader(made, targets[target]);
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${name}-${target}${suffix}`);
    await rename(made, `${path}.new`).catch(() => execute("mv", [made, `${path}.new`]));
    await rename(`${path}.new`, path);
    return path;
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}
