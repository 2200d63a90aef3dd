/** The npm package of a command: its bundle, and the programs it starts, in the places they have in the repository. */
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { bundled } from "../bundle/bundle.mjs";
import { pageInputs } from "../bundle/bundle-page.mjs";
import { isolate, optionalPackages } from "../bundle/codebuff-parts.mjs";
import { root } from "../prepare.mjs";
import { commands } from "./commands.mjs";
import { pageFolder } from "./embedded-page.mjs";
import { writeManifest } from "./manifest.mjs";
import { writeNotices } from "./notices.mjs";

/** What a command starts as a process or thread of its own: the source, and where the command looks for it. */
const programs = {
  "sandbox-daemon": [
    { entry: "daemon/adapters/src/mock/run/program/main.ts", out: "daemon/adapters/dist/mock/bundle/mock-agent.cjs" },
    { entry: "daemon/adapters/src/amp/run/permission-main.ts", out: "daemon/adapters/dist/amp/run/permission-main.js" },
  ],
  codebuff: [{ entry: isolate.worker, out: isolate.worker, external: [isolate.engine] }],
  "codebuff-server": [{ entry: isolate.worker, out: isolate.worker, external: [isolate.engine] }],
};

/** What a command reads from the disk as it is. */
const folders = { "sandbox-daemon": [pageFolder], "muster-eval": ["testing/evals/suite"] };

/** Fills `folder` with the package; resolves with its manifest. */
export async function stageCommand(name, folder) {
  const { folder: room, external } = commands[name];
  const own = JSON.parse(await readFile(join(root, room, "package.json"), "utf8"));
  const inputs = await stageBundle({
    entry: join(room, "src/main.ts"),
    out: join(room, `dist/bundle/${name}.cjs`),
    external,
    folder,
  });
  inputs.push(...(await stagePrograms(name, folder)));
  for (const read of folders[name] ?? []) {
    await cp(join(root, read), join(folder, read), { recursive: true });
    // Modules for a browser; above them, so that the daemon does not hand it out.
    if (read === pageFolder) await writeFile(join(folder, dirname(read), "package.json"), '{ "type": "module" }\n');
  }
  const bin = join(room, `bin/${name}.cjs`);
  await mkdir(join(folder, dirname(bin)), { recursive: true });
  await cp(join(root, bin), join(folder, bin));
  await chmod(join(folder, bin), 0o755);
  const outside = [...external, ...(programs[name] ?? []).flatMap(({ external = [] }) => external)];
  const { version, description, license, engines } = own;
  if (folders[name]?.includes(pageFolder)) inputs.push(...(await pageInputs()));
  await writeNotices(folder, inputs);
  return writeManifest({
    folder,
    room,
    manifest: {
      name: own.name,
      version,
      description,
      license,
      type: "commonjs",
      engines,
      bin: { [name]: bin },
      dependencies: await versionsOf(outside),
    },
  });
}

/** In the places they have in the repository: whoever starts them looks there. Resolves with the paths of what was bundled. */
export async function stagePrograms(name, folder) {
  const inputs = [];
  for (const program of programs[name] ?? []) {
    const stage = program.out.endsWith(".cjs") ? stageBundle : stageModule;
    inputs.push(...(await stage({ ...program, folder })));
  }
  return inputs;
}

async function stageBundle({ entry, out, external, folder }) {
  const { code, stem, loader, inputs } = await bundled({ entry: join(root, entry), out: join(root, out), external });
  await mkdir(join(folder, dirname(out)), { recursive: true });
  await writeFile(join(folder, dirname(out), `${stem}.js`), code);
  await writeFile(join(folder, out), loader);
  return inputs;
}

async function stageModule({ entry, out, external = [], folder }) {
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: [join(root, entry)],
    outfile: join(folder, out),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@muster/source", "node"],
    external,
    legalComments: "eof",
    logLevel: "warning",
  });
  // Beside it: the programs of CommonJS elsewhere in the package stay what they are.
  await writeFile(join(folder, dirname(out), "package.json"), '{ "type": "module" }\n');
  return Object.keys(metafile.inputs);
}

/** The versions that were tested, and nothing for what is only used where somebody has it. */
async function versionsOf(names) {
  const found = {};
  for (const name of names.toSorted()) {
    const path = join(root, "node_modules", name, "package.json");
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text !== undefined && !optionalPackages.includes(name)) found[name] = JSON.parse(text).version;
  }
  return found;
}
