import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A small repository with something in it for every command of the corpus, and programs that betray that they ran. */
export function makePlanProject(): { around: string; root: string; environment: Record<string, string> } {
  const around = realpathSync(mkdtempSync(path.join(tmpdir(), "codebuff-plan-")));
  const root = path.join(around, "proj");
  const environment = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: path.join(around, "home"),
    TMPDIR: path.join(around, "tmp"),
    LANG: "C.UTF-8",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  for (const directory of ["home", "tmp", "proj/src/deep", "proj/bin", "proj/empty"])
    mkdirSync(path.join(around, directory), { recursive: true });
  const files: Record<string, string> = {
    "a.txt": "alpha\nbeta\ngamma\n",
    "b.txt": "beta\ndelta\n",
    "data.csv": "x,3\ny,1\nx,2\n",
    "src/main.ts": "export const alpha = 1;\nexport const beta = 2;\n",
    "src/util.ts": "export function help() {}\n",
    "src/deep/x.json": "{}\n",
    "package.json": '{"name":"scratch","version":"1.0.0","scripts":{"build":"touch built.txt"}}\n',
    "writer.js": 'require("fs").writeFileSync("new.txt", "x");\n',
    "script.sh": "#!/bin/sh\ntouch pwned-by-script\n",
    "bin/ls": "#!/bin/sh\n/usr/bin/touch pwned-by-path\n",
    "edit.sed": "w new.txt\n",
    "hex.txt": "00000000: 6162 630a                                abc.\n",
    "b64.txt": "aGVsbG8K\n",
    "change.patch": "--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-alpha\n+ALPHA\n",
    "fi.txt": "blob\ndata 1\nx\n",
    magic: "0 string alpha an alpha file\n",
    Makefile: "all:\n\ttouch made\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  const setUp = `set -e
chmod +x script.sh bin/ls; ln -s a.txt link; tar -cf arch.tar a.txt && mkdir u && tar -C u -cf ../arch.tar --files-from=/dev/null
rmdir u; echo x > unpacked.txt; tar -cf arch.tar unpacked.txt; python3 -m zipfile -c arch.zip unpacked.txt; rm -f unpacked.txt ../arch.tar
git init -q -b main --template=; git config user.name a; git config user.email a@example.com; git remote add origin ../other.git
git add -A; git commit -qm one; git tag v1; git branch side; echo more >> b.txt; git commit -qam two
git checkout -q side; echo s > side.txt; git add -A; git commit -qm side; git checkout -q main
echo stashed >> a.txt; git stash -q; echo changed >> src/util.ts; echo untracked > untracked.txt; touch -d '2001-01-01' a.txt`;
  execFileSync("bash", ["-c", setUp], { cwd: root, env: environment, stdio: "ignore" });
  return { around, root, environment };
}

/** Settings by which a repository makes plain git commands run its programs. */
export const hostileSettings = `git config core.fsmonitor 'touch pwned-by-fsmonitor; false'
git config core.pager 'touch pwned-by-pager; cat'
git config diff.external 'touch pwned-by-external; :'
git config diff.evil.textconv 'touch pwned-by-textconv; cat'
git config filter.evil.clean 'touch pwned-by-clean; cat'
git config alias.log '!touch pwned-by-alias'
printf '%s\\n' '*.ts diff=evil filter=evil' '*.txt diff=evil filter=evil' > .gitattributes
mkdir -p .git/hooks
printf '#!/bin/sh\\ntouch pwned-by-hook\\n' | tee .git/hooks/post-index-change .git/hooks/post-checkout > .git/hooks/pre-commit
chmod +x .git/hooks/*`;

/** Every byte below a directory: names, kinds, modes, contents, targets of links. */
export function photograph(directory: string): string {
  const hash = createHash("sha256");
  const visit = (current: string) => {
    for (const name of readdirSync(current).toSorted()) {
      const file = path.join(current, name);
      const info = lstatSync(file);
      hash.update(`${path.relative(directory, file)}\0${info.mode}\0`);
      if (info.isSymbolicLink()) hash.update(readlinkSync(file));
      else if (info.isDirectory()) visit(file);
      else if (info.isFile()) hash.update(readFileSync(file));
    }
  };
  visit(directory);
  return hash.digest("hex");
}

export function copyOf(project: { around: string; root: string }): string {
  const around = mkdtempSync(path.join(path.dirname(project.around), "codebuff-plan-copy-"));
  cpSync(project.around, around, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  return around;
}

export function discard(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

/** Runs one command line to its end, or to the limit; resolves with its exit code. */
export function runLine(text: string, root: string, environment: Record<string, string>): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", text], { cwd: root, env: environment, stdio: "ignore", detached: true });
    const stop = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), 20_000);
    child.on("close", (code) => {
      clearTimeout(stop);
      resolve(code);
    });
    child.on("error", () => resolve(null));
  });
}
