import { GitFailure } from "@muster/node";
import { split, type WorkTreeState } from "../capture.ts";
import type { Store } from "../store.ts";
import { type By, mergeAuthors } from "./author.ts";
import { compareEntries } from "./entries.ts";
import type { Stories } from "./stories.ts";

export interface FileChange {
  /** A directory's ends with a slash. */
  path: string;
  change: "added" | "changed" | "deleted";
  /** Unified, as git prints it; empty where only permissions or a directory differ, and beyond the limit. */
  diff: string;
  /** Whoever changed it in between; empty where nobody is known to have. */
  by: By[];
}

export interface HistoryDiff {
  files: FileChange[];
  /** Some texts are longer than they may be and end early; the files are all there. */
  truncated: boolean;
}

export interface DiffQuestion {
  from: WorkTreeState;
  to: WorkTreeState;
  umask: number;
  stories: Stories;
  /** Contents of `to` that lie in another store. */
  objects?: string;
}

const longestText = 256 * 1024;
const longestDiff = 8 * 1024 * 1024;

/** What is different in the second state, each path with its text and whose change it was. */
export async function diffStates(store: Store, question: DiffQuestion): Promise<HistoryDiff> {
  const { from, to, umask, stories, objects } = question;
  const changes = await compareEntries(store, { from, to, umask, objects });
  const texts = from.tree === to.tree ? new Map<string, string>() : await readTexts(store, { from, to, objects });
  let truncated = texts === undefined;
  const files = changes.map(({ path, before, after }): FileChange => {
    const text = texts?.get(path) ?? "";
    if (text.length > longestText) truncated = true;
    return {
      path,
      change: before === null ? "added" : after === null ? "deleted" : "changed",
      diff: text.slice(0, longestText),
      by: mergeAuthors((stories.get(path) ?? []).map(({ by }) => by)),
    };
  });
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), truncated };
}

/** Path → its part of the patch; undefined when the patch is longer than a reader wants. */
async function readTexts(
  store: Store,
  { from, to, objects }: Pick<DiffQuestion, "from" | "to" | "objects">,
): Promise<Map<string, string> | undefined> {
  const args = ["diff-tree", "-r", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
  try {
    const [names, patch] = await Promise.all([
      store.git.run([...args, "-z", "--name-status", from.tree, to.tree], { objects }),
      store.git.run([...args, "-p", from.tree, to.tree], { objects, mostBytes: longestDiff }),
    ]);
    const parts = patch.split(/^(?=diff --git )/m).filter((part) => part !== "");
    const texts = new Map<string, string>();
    const fields = split(names);
    let at = 0;
    for (let field = 0; field + 1 < fields.length; field += 2) {
      // A file that became a link goes and comes: that are two parts.
      const count = fields[field] === "T" ? 2 : 1;
      texts.set(fields[field + 1] ?? "", parts.slice(at, at + count).join(""));
      at += count;
    }
    return texts;
  } catch (error) {
    if (error instanceof GitFailure && error.message.includes("printed too much")) return undefined;
    throw error;
  }
}
