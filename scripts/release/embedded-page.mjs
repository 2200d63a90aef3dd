/** The page of the inspector inside an executable: stands for `page-folder.ts`, which reads it from the disk. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";

/** Where a build leaves the page, and where a package has it too. */
export const pageFolder = "daemon/inspector/dist/page";

export const embeddedPage = {
  name: "embedded-page",
  setup(to) {
    to.onLoad({ filter: /\/daemon\/server\/src\/page\/page-folder\.ts$/ }, () => ({
      contents: moduleOf(filesOfPage()),
    }));
  },
};

function filesOfPage() {
  const names = readdirSync(join(root, pageFolder)).sort();
  if (!names.includes("index.html")) throw new Error("The page of the inspector is not built");
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(root, pageFolder, name), "base64")]));
}

function moduleOf(files) {
  return `const files = ${JSON.stringify(files)};
export async function readPageFile(name) {
  return Object.hasOwn(files, name) ? Buffer.from(files[name], "base64") : undefined;
}
`;
}
