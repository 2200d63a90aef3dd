import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { writePrivateFile } from "../settings/private-file.ts";

/**
 * An agent file with everything it imports, as one module. Building runs nothing of it, so its whole content can be judged
 * before it does; and it loads alike on every Node, from TypeScript, ES modules and CommonJS.
 */
export async function buildAgentModule(file: string): Promise<string> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "silent",
    absWorkingDir: dirname(file),
    banner: {
      js: 'import { createRequire as __require_of } from "node:module"; const require = __require_of(import.meta.url);',
    },
    define: {
      "import.meta.url": JSON.stringify(pathToFileURL(file).href),
      __dirname: JSON.stringify(dirname(file)),
      __filename: JSON.stringify(file),
    },
  });
  return outputFiles[0]?.text ?? "";
}

/** Runs a built module once per content and gives its default export. */
export async function importAgentModule(code: string, { home = homedir() }: { home?: string } = {}): Promise<unknown> {
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 32);
  const file = join(home, ".codebuff", "cache", "agents", `${hash}.mjs`);
  const known = await stat(file).catch(() => undefined);
  if (known?.size !== Buffer.byteLength(code)) await writePrivateFile(file, code);
  const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  return unwrap(module.default);
}

/** CommonJS built as an ES module keeps its own default one level down. */
function unwrap(exported: unknown): unknown {
  const isModule =
    typeof exported === "object" && exported !== null && "__esModule" in exported && "default" in exported;
  return isModule ? (exported as { default: unknown }).default : exported;
}
