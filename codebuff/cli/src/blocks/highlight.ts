import type { HLJSApi, LanguageFn } from "highlight.js";
import type { StyleName, Theme } from "../text/theme.ts";

/** Classes of the highlighter and what they are to a reader. */
const styles: Readonly<Record<string, StyleName>> = {
  keyword: "keyword",
  built_in: "name",
  type: "name",
  literal: "number",
  number: "number",
  string: "string",
  regexp: "string",
  comment: "comment",
  doctag: "comment",
  title: "name",
  attr: "name",
  attribute: "name",
  name: "keyword",
  tag: "keyword",
  variable: "text",
  addition: "added",
  deletion: "removed",
  section: "heading",
  meta: "comment",
  symbol: "number",
  "selector-tag": "keyword",
  "selector-class": "name",
  "selector-id": "name",
};

const languages: Readonly<Record<string, () => Promise<{ default: LanguageFn }>>> = {
  typescript: () => import("highlight.js/lib/languages/typescript"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  bash: () => import("highlight.js/lib/languages/bash"),
  python: () => import("highlight.js/lib/languages/python"),
  go: () => import("highlight.js/lib/languages/go"),
  rust: () => import("highlight.js/lib/languages/rust"),
  java: () => import("highlight.js/lib/languages/java"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  php: () => import("highlight.js/lib/languages/php"),
  xml: () => import("highlight.js/lib/languages/xml"),
  css: () => import("highlight.js/lib/languages/css"),
  sql: () => import("highlight.js/lib/languages/sql"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
  diff: () => import("highlight.js/lib/languages/diff"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
};

let highlighter: HLJSApi | undefined;

/** Code is shown without colours until this is done; the first frame does not wait for it. */
export async function loadHighlighter(): Promise<void> {
  if (highlighter !== undefined) return;
  const { default: core } = await import("highlight.js/lib/core");
  for (const [name, load] of Object.entries(languages)) core.registerLanguage(name, (await load()).default);
  highlighter = core;
}

/** Code with styles, as many lines as it has. */
export function highlight(code: string, language: string, theme: Theme): string[] {
  const lines = code.split("\n");
  const known = highlighter?.getLanguage(language);
  if (highlighter === undefined || known === undefined) return lines;
  const { value } = highlighter.highlight(code, { language, ignoreIllegals: true });
  return styledLines(value, theme);
}

/** The highlighter's markup: spans that may go over lines; every line gets styles of its own. */
function styledLines(markup: string, theme: Theme): string[] {
  const open: StyleName[] = [];
  const lines: string[] = [];
  let line = "";
  for (const [, name, close, text] of markup.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (name !== undefined) open.push(styleOf(name));
    else if (close !== undefined) open.pop();
    else {
      const pieces = decode(text ?? "").split("\n");
      for (const [at, piece] of pieces.entries()) {
        if (at > 0) {
          lines.push(line);
          line = "";
        }
        line += theme[open.at(-1) ?? "text"](piece);
      }
    }
  }
  return [...lines, line];
}

function styleOf(name: string): StyleName {
  const [first = ""] = name.split(" ");
  return styles[first.replace(/^hljs-/, "")] ?? "text";
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'" };

function decode(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|#x27);/g, (_, name: string) => entities[name] ?? "");
}
