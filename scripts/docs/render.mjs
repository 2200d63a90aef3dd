/** One document as HTML: links to other pages, headings with anchors, pictures inside the page. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { Marked } from "marked";
import { root } from "../prepare.mjs";

/** @returns {{ html: string, headings: { depth: number, text: string, id: string }[], broken: string[] }} */
export function renderPage(page, pages) {
  const headings = [];
  const broken = [];
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = idOf(text, headings);
        headings.push({ depth, id, text: text.replaceAll(/[`*]/g, "").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1") });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = linkTo(page, href, pages);
        if (target === undefined) broken.push(href);
        return target === null
          ? this.parser.parseInline(tokens)
          : `<a href="${escapeHtml(target ?? href)}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        const file = join(root, dirname(page.path), href);
        if (!existsSync(file)) broken.push(href);
        return `<figure>${existsSync(file) ? inline(file) : ""}<figcaption>${escapeHtml(text)}</figcaption></figure>`;
      },
      code({ text, lang = "" }) {
        const [language, ...reason] = lang.split(" ");
        const said = reason.length > 0 ? `<div class="unrun">${escapeHtml(reason.join(" "))}</div>` : "";
        return `<div class="code">${said}<button type="button" class="copy">copy</button><pre><code class="${escapeHtml(language)}">${escapeHtml(text)}</code></pre></div>\n`;
      },
      table(token) {
        const cells = (row, tag) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const head = token.header.some(({ text }) => text !== "")
          ? `<thead><tr>${cells(token.header, "th")}</tr></thead>`
          : "";
        const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
        return `<div class="table"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return { html: marked.parse(page.markdown), headings, broken };
}

/** The address from this page; null for a file that is not on the site, undefined for one that does not exist. */
function linkTo(page, href, pages) {
  if (/^[a-z]+:/.test(href)) return href;
  const [path, anchor] = href.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (path === "") return hash;
  const target = posix.join(posix.dirname(page.path), path);
  const found = pages.find((other) => other.path === target || other.path === posix.join(target, "README.md"));
  if (found) return `${posix.relative(posix.dirname(page.out), found.out)}${hash}`;
  return existsSync(join(root, target)) ? null : undefined;
}

/** As GitHub makes them, so that one link works in both places. */
function idOf(text, before) {
  const plain = text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").toLowerCase();
  const id = plain
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
  const same = before.filter((heading) => heading.id === id || heading.id.startsWith(`${id}-`)).length;
  return same === 0 ? id : `${id}-${same}`;
}

/** Without its own colours: inside a page it has the page's. */
function inline(file) {
  return readFileSync(file, "utf8").replace(/<style>[\s\S]*?<\/style>/, "");
}

export function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
