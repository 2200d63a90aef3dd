import path from "node:path";
import { secretGlobs } from "../files/access/secrets.ts";
import { hiddenGlobs, IgnoreRules, ignoreFlags } from "./ignore-rules.ts";
import { runRipgrep } from "./ripgrep.ts";

export interface FileListOptions {
  readonly root: string;
  /** A directory inside the root; the whole root when left out. */
  readonly under?: string;
  readonly signal?: AbortSignal;
}

/** Every file that is not ignored, as paths relative to the root, in no order. Links are not followed. */
export async function listFiles({ root, under = ".", signal }: FileListOptions): Promise<string[]> {
  const found: string[] = [];
  const globs = [...hiddenGlobs, ...secretGlobs].flatMap((glob) => ["-g", glob]);
  const end = await runRipgrep({
    args: ["--files", "--null", "--hidden", ...ignoreFlags, ...globs, "--", under],
    cwd: root,
    timeoutMs: 60_000,
    separator: "\0",
    onLine: (line) => found.push(line) > 0,
    ...(signal === undefined ? {} : { signal }),
  });
  if (end.stopped === "aborted") throw new Error("The listing was interrupted");
  if (end.stopped === "timeout") throw new Error("The listing took longer than 60 s");
  // Exit code 2 with output means that some directories could not be read; the rest is good.
  if (end.exitCode === 2 && found.length === 0) throw new Error(end.stderr.trim() || "The files cannot be listed");
  return new IgnoreRules(root).visible(found.map(asRelative));
}

function asRelative(line: string): string {
  const relative = line.startsWith(`.${path.sep}`) ? line.slice(2) : line;
  return path.sep === "/" ? relative : relative.split(path.sep).join("/");
}
