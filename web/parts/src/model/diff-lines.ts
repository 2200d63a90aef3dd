export interface DiffLine {
  kind: "added" | "removed" | "same" | "place" | "file";
  text: string;
}

/** The lines of a unified diff. A line of three minuses is a name only where a hunk has ended. */
export function diffLines(diff: string): DiffLine[] {
  let before = 0;
  let after = 0;
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text): DiffLine => {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) {
      before = Number(hunk[1] ?? 1);
      after = Number(hunk[2] ?? 1);
      return { kind: "place", text };
    }
    const inHunk = before > 0 || after > 0;
    if (inHunk && text.startsWith("-")) {
      before--;
      return { kind: "removed", text };
    }
    if (inHunk && text.startsWith("+")) {
      after--;
      return { kind: "added", text };
    }
    if (!inHunk && /^(---|\+\+\+|diff |index |rename |similarity |new file|deleted file)/.test(text)) {
      return { kind: "file", text };
    }
    if (inHunk && !text.startsWith("\\")) {
      before--;
      after--;
    }
    return { kind: "same", text };
  });
}
