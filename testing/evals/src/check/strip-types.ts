import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { transform } from "esbuild";

/**
 * Writes a `.js` beside every `.ts` of a tree, without its types, so that a check can run it on every Node. A file that is
 * no TypeScript gets none, and whatever needs it fails.
 */
export async function stripTypes(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !["node_modules", ".git"].includes(entry.name)) await stripTypes(path);
    if (!entry.isFile() || !/\.m?ts$/.test(entry.name) || entry.name.endsWith(".d.ts")) continue;
    try {
      const { code } = await transform(await readFile(path, "utf8"), {
        loader: "ts",
        format: "esm",
        logLevel: "silent",
      });
      await writeFile(
        path.replace(/ts$/, "js"),
        code.replaceAll(/((?:from|import)\s*\(?\s*["']\.{1,2}\/[^"']*\.m?)ts(["'])/g, "$1js$2"),
      );
    } catch {
      // What cannot be read as TypeScript has no .js: the check finds it missing.
    }
  }
}
