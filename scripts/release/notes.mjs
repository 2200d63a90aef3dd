/** The note of a release: what the changelog says of this version, and what each file is. */
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { root } from "../prepare.mjs";
import { commands } from "./commands.mjs";

export async function writeNotes({ file, version, files, unrun }) {
  const changes = sectionOf(await readFile(join(root, "CHANGELOG.md"), "utf8"), version);
  const rows = files.map((path) => `| \`${basename(path)}\` | ${unrun.includes(path) ? unrunText : ""} |`);
  const left = Object.entries(commands).filter(([, { notExecutable }]) => notExecutable);
  const text = `# Muster ${version}

${changes}

## Files

\`sha256sum --check --ignore-missing SHA256SUMS\` verifies what you downloaded.

| file | |
|---|---|
${rows.join("\n")}

No single executable of ${left.map(([name, { notExecutable }]) => `\`${name}\` (${notExecutable})`).join(" and ")}.
`;
  await writeFile(file, text);
  return file;
}

const unrunText = "built here and its header checked; never run";

/** Throws when nobody has written down what is new. */
function sectionOf(changelog, version) {
  const sections = changelog.split(/^## /m);
  const found = sections.find((section) => section.startsWith(version));
  if (found === undefined) throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return found.slice(found.indexOf("\n")).trim();
}
