import path from "node:path";
import { secrecyOf, secretGlobs } from "../files/access/secrets.ts";
import { runRipgrep } from "./ripgrep.ts";

/** A project with more of them is one for testing such files. */
const most = 500;

/** The secret files of a project by their names, relative to it; what package managers install is not looked through. */
export async function listSecretFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  const globs = [...secretGlobs.map((glob) => glob.slice(1)), "!node_modules", "!.git"];
  await runRipgrep({
    args: ["--files", "--null", "--hidden", "--no-ignore", ...globs.flatMap((glob) => ["--iglob", glob]), "--", "."],
    cwd: root,
    timeoutMs: 20_000,
    separator: "\0",
    onLine: (line) => {
      const file = path.normalize(line);
      if (secrecyOf(file) === "secret") found.push(file);
      return found.length < most;
    },
  });
  return found;
}
