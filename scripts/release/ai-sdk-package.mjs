/** The AI SDK's harness: compiled against the packages it installs for itself, which need a newer Node than we do. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../prepare.mjs";
import { manifestOf } from "../streets.mjs";

const run = promisify(execFile);
const room = "integrations/ai-sdk";

export async function stageAiSdk(folder) {
  await installAiSdk();
  const dist = join(folder, "dist");
  const options = ["--outDir", dist, "--declaration", "--sourceMap", "false"];
  await run(process.execPath, [
    join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    join(root, room),
    ...options,
  ]).catch(({ stdout }) => {
    throw new Error(stdout);
  });
  for (const name of await readdir(dist)) {
    if (!name.endsWith(".d.ts")) continue;
    const text = await readFile(join(dist, name), "utf8");
    await writeFile(join(dist, name), text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
  return { dependencies: manifestOf(room).dependencies, inputs: [] };
}

/** What its lock file says, once. */
async function installAiSdk() {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, room, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, room, "node_modules", ".muster");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  await run("npm", ["ci", "--ignore-scripts", "--engine-strict=false"], { cwd: join(root, room) });
  writeFileSync(stamp, lock);
}
