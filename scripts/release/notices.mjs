/** The licences of what is bundled: of every package of which a file went into the code, in its own words. */
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../prepare.mjs";

const noticesFile = "THIRD-PARTY-NOTICES.txt";

/** Writes the file and resolves with its path; `inputs` are the paths of what was bundled, from the root of the repository. */
export async function writeNotices(folder, inputs) {
  const packages = [...new Set(inputs.map(packageOf).filter((path) => path !== undefined))].sort();
  const file = join(folder, noticesFile);
  await writeFile(file, noticesOf(packages));
  return file;
}

function noticesOf(packages) {
  if (packages.length === 0) return "No code of others is in this package.\n";
  const parts = packages.map((path) => {
    const manifest = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
    return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${licenceText(path, manifest).trim()}\n`;
  });
  const line = `\n${"-".repeat(80)}\n\n`;
  return `This package has code of others inside, under these licences.\n${line}${parts.join(line)}`;
}

/** `node_modules/a/node_modules/@b/c/d.js` is of `node_modules/a/node_modules/@b/c`. */
function packageOf(path) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

function licenceText(path, { name, license, author }) {
  const files = readdirSync(join(root, path)).filter((file) => /^(licen[cs]e|copying|notice)[^/]*$/i.test(file));
  const texts = files.sort().filter((file) => !/\.[cm]?js$/.test(file));
  if (texts.length > 0) return texts.map((file) => readFileSync(join(root, path, file), "utf8").trim()).join("\n\n");
  const other = sameText[license];
  if (other === undefined)
    throw new Error(`${name} brings no text of its licence ${license}, and its code would be released`);
  const holder = typeof author === "string" ? author : (author?.name ?? `the authors of ${name}`);
  const words = readFileSync(join(root, other.file), "utf8");
  return `Copyright (c) ${holder}\n\n${words.slice(words.indexOf(other.begin)).trim()}`;
}

/** A few packages name their licence and bring no text of it: who has the same, and where its words begin. */
const sameText = {
  MIT: { file: "LICENSE", begin: "Permission is" },
  "Apache-2.0": { file: "node_modules/@opentelemetry/api/LICENSE", begin: "Apache License" },
};
