/** Which documents are pages of the site, in the order of its menu. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";

/** A page that no pattern of an earlier chapter took goes to the first that matches; the last one takes all. */
const chapters = [
  ["Begin", ["docs/index.md", "docs/installing.md", "docs/quick-start.md", "docs/concepts.md", "docs/words.md"]],
  ["How to", [/^docs\/how-to\//]],
  [
    "Interfaces",
    [
      "docs/events-to-ui.md",
      "docs/inspector.md",
      "docs/items.md",
      "docs/ai-sdk.md",
      "docs/acp.md",
      "docs/typescript.md",
      "docs/python.md",
    ],
  ],
  ["Agents", ["docs/installing-agents.md", "docs/agents/matrix.md", /^docs\/agents\/[a-z]+\.md$/]],
  [
    "Look up",
    [/^docs\/reference\//, "docs/problems.md", "docs/converting.md", "docs/troubleshooting.md", /^docs\/api\//],
  ],
  ["Trust", ["docs/security.md", "docs/reliability.md", "docs/comparison.md", "docs/trials.md"]],
  ["Codebuff", [/^docs\/codebuff\//, /^codebuff\/[a-z]+\/README\.md$/]],
  ["Inside", ["docs/house.md", /^docs\//, "CHANGELOG.md", /README\.md$/, /SKILL\.md$/]],
];

/** @typedef {{ path: string, out: string, chapter: string, title: string, markdown: string }} Page */

/** @returns {Page[]} */
export function findPages() {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    cwd: root,
    encoding: "utf8",
  });
  const left = new Set(
    listed.split("\n").filter((path) => /^(docs|codebuff|daemon|testing|deploy|skills)\/|^CHANGELOG/.test(path)),
  );
  return chapters.flatMap(([chapter, patterns]) =>
    patterns.flatMap((pattern) => {
      const found = [...left].filter((path) => (typeof pattern === "string" ? path === pattern : pattern.test(path)));
      for (const path of found) left.delete(path);
      return found.sort().map((path) => pageOf(path, chapter));
    }),
  );
}

function pageOf(path, chapter) {
  const markdown = readFileSync(join(root, path), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");
  const [, title = path] = /^# (.+)$/m.exec(markdown) ?? [];
  return { path, out: outOf(path), chapter, title: title.replaceAll("`", ""), markdown };
}

/** `docs/` is the top of the site; what lies outside of it keeps its path. */
function outOf(path) {
  return path.replace(/^docs\//, "").replace(/\.md$/, ".html");
}
