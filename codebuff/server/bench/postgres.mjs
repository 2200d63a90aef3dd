/** The PostgreSQL of the tests, for a bench that runs without their loader. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transform } from "esbuild";

const source = new URL("../../../base/sql/test/postgres-cluster.ts", import.meta.url);
// Inside of node_modules, so that its imports are found.
const cache = fileURLToPath(new URL("../../../node_modules/.cache/codebuff-bench/", import.meta.url));

/** Undefined, with a word why, where there is none. */
export async function startPostgres() {
  try {
    const { code } = await transform(readFileSync(source, "utf8"), { loader: "ts", format: "esm" });
    const path = `${cache}postgres-cluster.mjs`;
    mkdirSync(cache, { recursive: true });
    writeFileSync(path, code);
    const cluster = await import(pathToFileURL(path).href);
    return await cluster.startPostgres();
  } catch (error) {
    process.stderr.write(`gateway: PostgreSQL is not measured: ${error.message}\n`);
    return undefined;
  }
}
