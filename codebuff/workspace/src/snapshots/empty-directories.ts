import { join } from "node:path";
import ignore from "ignore";
import { readDirectory } from "./look.ts";

const mostDirectories = 5000;

/** Directories with nothing in them, from those in which git has recorded nothing. What is ignored is not entered. */
export function emptyDirectories(root: string, unrecorded: readonly string[], rules: string): string[] {
  const found: string[] = [];
  const ignored = ignore().add(rules);
  const waiting = unrecorded.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
  for (let looked = 0; looked < mostDirectories; looked++) {
    const path = waiting.pop();
    if (path === undefined) break;
    if (ignored.ignores(`${path}/`)) continue;
    const entries = readDirectory(join(root, path));
    if (entries.some((entry) => entry.name === ".git")) continue;
    if (entries.length === 0) found.push(path);
    for (const entry of entries) if (entry.isDirectory()) waiting.push(`${path}/${entry.name}`);
  }
  return found.sort();
}
