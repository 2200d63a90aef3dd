/** The frame around every page: menu, search, contents. */
import { posix } from "node:path";
import { escapeHtml } from "./render.mjs";

export function layout(page, pages) {
  const base = posix.relative(posix.dirname(page.out), ".") || ".";
  return `<!doctype html>
<html lang="en" data-base="${base}/">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Muster</title>
<link rel="stylesheet" href="${base}/style.css">
<script src="${base}/site.js" defer></script>
</head>
<body>
<header>
<button type="button" id="menu" aria-label="Menu" aria-expanded="false">☰</button>
<a class="home" href="${base}/index.html">Muster</a>
<input type="search" id="search" placeholder="Search" aria-label="Search" autocomplete="off">
<button type="button" id="theme" aria-label="Light or dark">◐</button>
</header>
<div id="results" role="listbox" hidden></div>
<div class="columns">
<nav aria-label="Pages">${menu(page, pages)}</nav>
<main>${page.html}</main>
<aside aria-label="On this page">${contents(page)}</aside>
</div>
</body>
</html>
`;
}

function menu(page, pages) {
  const chapters = [...new Set(pages.map(({ chapter }) => chapter))];
  return chapters
    .map((chapter) => {
      const links = pages.filter((other) => other.chapter === chapter).map((other) => link(page, other));
      const isOpen = page.chapter === chapter || chapter === "Begin";
      return `<details${isOpen ? " open" : ""}><summary>${chapter}</summary><ul>${links.join("")}</ul></details>`;
    })
    .join("\n");
}

function link(page, other) {
  const target = posix.relative(posix.dirname(page.out), other.out);
  const current = other.out === page.out ? ' aria-current="page"' : "";
  return `<li><a href="${target}"${current}>${escapeHtml(other.title)}</a></li>`;
}

function contents({ headings }) {
  const links = headings
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(({ depth, id, text }) => `<li class="depth${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return links.length > 1 ? `<ul>${links.join("")}</ul>` : "";
}
