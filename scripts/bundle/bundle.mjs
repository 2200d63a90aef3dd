/**
 * One file of code for a command, with V8's code cache beside it. `bundle({ entry, out })` writes three files:
 * `out` (a small CommonJS loader: require it and the command runs), and next to it the code and the cache.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const recorder = fileURLToPath(new URL("record-code-cache.cjs", import.meta.url));
const stdio = ["ignore", "pipe", "inherit"];

/**
 * @param {object} options
 * @param {string} options.entry a source file without top-level await, run when `out` is required
 * @param {string} options.out the loader, `<folder>/<name>.cjs`
 * @param {string[]} [options.external] packages that stay imports: those with files of their own, and what few need
 * @param {(start: Start) => Promise<void>} [options.practise] runs the command once or more, each to its end: the code
 *   that was used is what the cache holds
 * @typedef {(args: string[], env?: NodeJS.ProcessEnv) => import("node:child_process").ChildProcess} Start
 */
export async function bundle({ entry, out, external = [], practise = askVersion }) {
  const { code, stem, loader } = await bundled({ entry, out, external });
  const name = basename(out, ".cjs");
  const folder = dirname(out);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${stem}.js`), code);
  const cache = join(folder, `${stem}-${process.version}-${process.arch}.cache`);
  rmSync(cache, { force: true });
  await practise((args, env = process.env) =>
    spawn(process.execPath, [recorder, join(folder, `${stem}.js`), cache, ...args], { stdio, env }),
  );
  if (!existsSync(cache)) throw new Error(`${name} ended without leaving its code cache`);
  // Last, and at once: a command that starts meanwhile finds either the old three files or the new ones.
  writeFileSync(`${out}.new`, loader);
  renameSync(`${out}.new`, out);
  for (const file of readdirSync(folder)) {
    if (file.startsWith(`${name}-`) && !file.startsWith(stem)) rmSync(join(folder, file));
  }
}

/** The code of a bundle and its loader, without a cache: `<stem>.js` goes beside `out`. */
export async function bundled({ entry, out, external = [] }) {
  const { code, inputs } = await codeOf({ entry, out, external, head, foot: "})" });
  const id = createHash("sha256").update(code).digest("hex").slice(0, 12);
  const stem = `${basename(out, ".cjs")}-${id}`;
  return { code, stem, loader: loader(stem), inputs };
}

/** One file of CommonJS. `head` declares `placeOfSource` and `importFile`, which are the loader's or the runtime's. */
export async function codeOf({ entry, out, external = [], head, foot = "", plugins = [] }) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: out,
    write: false,
    metafile: true,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    conditions: ["@muster/source", "node"],
    // In one file `import()` only means "evaluate this part later"; what stays outside is required later.
    supported: { "dynamic-import": false },
    // ES modules first: what an UMD file requires by a name of its own is not found by a bundler.
    mainFields: ["module", "main"],
    external,
    define: { "import.meta.url": "ownPlace" },
    banner: { js: head },
    footer: { js: foot },
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "eof",
    logLevel: "warning",
    plugins: [...plugins, ownSources(dirname(out)), withoutLocales],
  });
  return { code: outputFiles[0].text, inputs: Object.keys(metafile.inputs) };
}

const head = `(function (require, module, exports, __filename, __dirname, importFile) {
const placeOfSource = (path) => require("node:url").pathToFileURL(require("node:path").join(__dirname, path)).href;`;

/**
 * `import.meta.url` of a source stays the place of that source, seen from the bundle. A file that is only known when the
 * command runs is imported by the loader: code from V8's cache has no `import()` of its own.
 */
export function ownSources(folder, rewrite = (text) => text) {
  return {
    name: "own-sources",
    setup(to) {
      to.onLoad({ filter: /\/(src|dist)\/.*\.[jt]s$/ }, ({ path }) => {
        if (path.includes("/node_modules/")) return;
        const contents = readFileSync(path, "utf8").replaceAll(/\bimport\((?=[^"'`)])/g, "importFile(");
        const place = JSON.stringify(relative(folder, path));
        const own = contents.includes("import.meta.url") ? `const ownPlace = placeOfSource(${place});\n` : "";
        return { contents: own + rewrite(contents), loader: path.endsWith(".ts") ? "ts" : "js" };
      });
    },
  };
}

/** zod's messages in fifty languages: 265 kB nobody asks for. */
export const withoutLocales = {
  name: "without-locales",
  setup(to) {
    to.onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer }) =>
      importer.includes("/zod/") ? { path: "no-locales", namespace: "empty" } : undefined,
    );
    to.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export {};" }));
  },
};

/** V8 compares only the length of the code with its cache: the name of both must say that they belong together. */
function loader(stem) {
  return `"use strict";
const { readFileSync } = require("node:fs");
const { Script } = require("node:vm");
const code = __dirname + "/${stem}.js";
let cachedData;
try {
  cachedData = readFileSync(__dirname + "/${stem}-" + process.version + "-" + process.arch + ".cache");
} catch {
  // Made by another version of Node: this one compiles for itself.
}
const script = new Script(readFileSync(code, "latin1"), { filename: code, cachedData });
script.runInThisContext()(require, module, exports, code, __dirname, (url) => import(url));
`;
}

async function askVersion(start) {
  await once(start(["--version"]).stdout.resume(), "close");
}
