/** `npm run docs`: the Markdown of `docs/` as a static site in `site/`, searchable and without a network. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { prepare, root } from "./prepare.mjs";

prepare({ build: false });
// Only now: it needs what was just installed.
const { findPages } = await import("./docs/pages.mjs");
const { renderPage } = await import("./docs/render.mjs");
const { indexOf } = await import("./docs/search-index.mjs");
const { layout } = await import("./docs/layout.mjs");

const site = join(root, "site");
const pages = findPages();
rmSync(site, { recursive: true, force: true });
const rendered = pages.map((page) => ({ ...page, ...renderPage(page, pages) }));
for (const page of rendered) write(page.out, layout(page, rendered));
write("search.js", `window.searchIndex = ${JSON.stringify(indexOf(rendered))};\n`);
for (const name of ["style.css", "site.js"]) cpSync(join(root, "scripts/docs", name), join(site, name));
const broken = rendered.flatMap(({ path, broken }) => broken.map((target) => `${path}: ${target}`));
if (broken.length > 0) {
  process.stderr.write(`Links that lead nowhere:\n${broken.join("\n")}\n`);
  process.exit(1);
}
process.stdout.write(`${rendered.length} pages: ${join(site, "index.html")}\n`);

function write(name, text) {
  mkdirSync(dirname(join(site, name)), { recursive: true });
  writeFileSync(join(site, name), text);
}
