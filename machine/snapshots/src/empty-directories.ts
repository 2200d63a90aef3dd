import { join } from "node:path";
import ignore from "ignore";
import { ancestors, readDirectory } from "./look.ts";

/** Reading directories costs more than it is worth when there are more without any recorded file in them. */
const mostBare = 5000;

export interface Directories {
  /** With nothing in them. */
  empty: string[];
  /** All that were looked into; null when there were too many, and some were not. */
  visited: string[] | null;
}

/** Directories as they are now. What is ignored or a repository of its own is not entered. */
export function readDirectories(root: string, recorded: Iterable<string>, rules: string): Directories {
  const holding = new Set<string>();
  for (const path of recorded) {
    for (const above of ancestors(path).reverse()) {
      if (holding.has(above)) break;
      holding.add(above);
    }
  }
  const ignored = ignore().add(rules);
  const found: string[] = [];
  const visited: string[] = [];
  const waiting = [""];
  let bare = 0;
  for (let path = waiting.pop(); path !== undefined && bare < mostBare; path = waiting.pop()) {
    const entries = readDirectory(join(root, path));
    visited.push(path);
    if (path !== "" && entries.some((entry) => entry.name === ".git")) continue;
    if (path !== "" && entries.length === 0) found.push(path);
    for (const entry of entries) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (!entry.isDirectory() || below === ".git") continue;
      if (!holding.has(below)) {
        if (ignored.ignores(`${below}/`)) continue;
        bare += 1;
      }
      waiting.push(below);
    }
  }
  return { empty: found.sort(), visited: waiting.length > 0 || bare >= mostBare ? null : visited };
}
