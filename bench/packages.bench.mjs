/** The benches that packages keep beside their sources: each exports `run(report)`. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packagesOf } from "../scripts/streets.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

export async function run({ report, say }) {
  for (const file of packageBenches()) {
    say(file);
    const { run: runPackage } = await import(pathToFileURL(join(root, file)).href);
    await runPackage(report);
  }
}

function packageBenches() {
  return packagesOf().flatMap((room) => {
    const folder = join(room, "bench");
    if (!existsSync(join(root, folder))) return [];
    return readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".bench.mjs"))
      .map((name) => join(folder, name));
  });
}
