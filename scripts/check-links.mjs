/** Every relative link in a document leads to a file that exists. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./prepare.mjs";

const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter(Boolean);
const broken = documents.flatMap((document) =>
  [...readFileSync(join(root, document), "utf8").matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(document), target)))
    .map((target) => `${document}: ${target}`),
);
if (broken.length > 0) {
  process.stderr.write(`Links that lead nowhere:\n${broken.join("\n")}\n`);
  process.exit(1);
}
