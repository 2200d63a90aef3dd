/** Builds the page that the daemon serves at /inspect; part of `npm run build`. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { root } from "../prepare.mjs";

const source = join(root, "daemon/inspector/src");
const folder = join(root, "daemon/inspector/dist/page");

/** Every name but index.html changes with its content, so that a browser may keep the files for ever. */
export async function bundlePage() {
  const { page, theme } = await buildPage();
  const icon = readFileSync(join(source, "icon.svg"));
  const files = new Map(
    [...page.outputFiles, ...theme.outputFiles].map(({ path, contents }) => [basename(path), contents]),
  );
  files.set(`icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`, icon);
  const named = (pattern) => [...files.keys()].find((name) => pattern.test(name));
  const names = { main: named(/^main-/), theme: named(/^apply-theme-/), style: named(/\.css$/), icon: named(/^icon-/) };
  const html = readFileSync(join(source, "index.html"), "utf8").replace(/\{(\w+)\}/g, (_, name) => names[name]);
  files.set("index.html", html);

  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
}

/** The paths of what is bundled in the page. */
export async function pageInputs() {
  const { page, theme } = await buildPage();
  return [page, theme].flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

async function buildPage() {
  const shared = {
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    write: false,
    minify: true,
    outdir: folder,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    target: ["chrome123", "firefox121", "safari17.5"],
    conditions: ["@muster/source"],
    legalComments: "none",
    logLevel: "warning",
  };
  const page = await build({
    ...shared,
    entryPoints: [join(source, "main.tsx"), join(source, "style/page.css")],
    format: "esm",
    splitting: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    // The parser's own way in a browser writes markup; see the file that stands for it.
    alias: { "decode-named-character-reference": join(root, "web/parts/src/markdown/named-references.ts") },
  });
  const theme = await build({ ...shared, entryPoints: [join(source, "apply-theme.ts")], format: "iife" });
  return { page, theme };
}
