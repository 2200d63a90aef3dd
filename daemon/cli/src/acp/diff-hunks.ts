export interface Hunk {
  /** null: the file is new. */
  oldText: string | null;
  newText: string;
}

/** The texts before and after, one pair for each place of a unified diff. */
export function diffHunks(diff: string): Hunk[] {
  const hunks: { old: string[]; new: string[]; isNewFile: boolean }[] = [];
  for (const line of diff.split("\n")) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/.exec(line);
    const hunk = hunks.at(-1);
    if (head) hunks.push({ old: [], new: [], isNewFile: head[1] === "0" && head[2] === "0" });
    else if (hunk === undefined || line.startsWith("\\")) continue;
    else if (line.startsWith("-")) hunk.old.push(line.slice(1));
    else if (line.startsWith("+")) hunk.new.push(line.slice(1));
    else if (line.startsWith(" ")) {
      hunk.old.push(line.slice(1));
      hunk.new.push(line.slice(1));
    }
  }
  return hunks.map((hunk) => ({
    oldText: hunk.isNewFile ? null : hunk.old.join("\n"),
    newText: hunk.new.join("\n"),
  }));
}
