import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
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
import { quoteForShell } from "@muster/core";

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
  for (const directory of ["home", "tmp", "proj/src/deep", "proj/bin", "proj/3", "proj/empty"])
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
    "3/ls": "#!/bin/sh\n/usr/bin/touch pwned-by-a-number\n",
    "words.txt": `-v a[$(touch\${IFS}new.txt)]\n`,
    "splitting.txt": ` -o -v a[$(touch\${IFS}new.txt)]\n`,
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
chmod +x script.sh bin/ls 3/ls; ln -s a.txt link; tar -cf arch.tar a.txt && mkdir u && tar -C u -cf ../arch.tar --files-from=/dev/null
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

/** Every byte below a directory: path → kind, mode, and content or target. */
export function photograph(directory: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (current: string) => {
    for (const name of readdirSync(path.join(directory, current))) {
      const relative = path.join(current, name);
      const file = path.join(directory, relative);
      const { mode, ...info } = describe(file);
      found.set(relative, `${mode} ${info.content}`);
      if (info.isDirectory) visit(relative);
    }
  };
  visit("");
  return found;
}

function describe(file: string): { mode: number; isDirectory: boolean; content: string } {
  const info = lstatSync(file);
  const content = info.isSymbolicLink() ? readlinkSync(file) : info.isFile() ? readFileSync(file, "latin1") : "";
  return { mode: info.mode, isDirectory: info.isDirectory(), content };
}

/** The paths that differ. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((one) => before.get(one) !== after.get(one)).sort();
}

export function copyOf(project: { around: string }): string {
  const around = mkdtempSync(path.join(path.dirname(project.around), "codebuff-plan-copy-"));
  cpSync(project.around, around, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  return around;
}

/** Makes what differs in a copy as it is in the original, in place of a new copy. */
export function putBack(original: string, copy: string, changed: readonly string[]): void {
  for (const one of changed) rmSync(path.join(copy, one), { recursive: true, force: true });
  for (const one of changed) {
    const [from, to] = [path.join(original, one), path.join(copy, one)];
    if (!existsSync(from) && !isLink(from)) continue;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, force: true });
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

export function discard(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

const limitSeconds = 20;

/**
 * Runs lines one after the other, each by a bash of its own with nothing to read, and resolves with their exit codes.
 * `confine` puts all of them into one sandbox.
 */
export async function runLines(
  texts: readonly string[],
  place: { root: string; environment: Record<string, string>; confine?: (script: string) => string },
): Promise<number[]> {
  const { root, environment, confine = (script) => script } = place;
  const script = texts.map((text, at) => {
    const line = `timeout -s KILL ${limitSeconds} /bin/bash -c ${quoteForShell(text)} </dev/null >/dev/null 2>&1`;
    return `${line}; echo "${at} $?"`;
  });
  const output = await outputOf(confine(script.join("\n")), root, environment);
  const codes = new Map([...output.matchAll(/^(\d+) (\d+)$/gm)].map(([, at, code]) => [Number(at), Number(code)]));
  return texts.map((text, at) => {
    const code = codes.get(at);
    if (code === undefined) throw new Error(`This was not run to its end: ${text}`);
    return code;
  });
}

function outputOf(text: string, root: string, environment: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const stdio = ["ignore", "pipe", "ignore"] as const;
    const child = spawn("/bin/bash", ["-c", text], { cwd: root, env: environment, stdio: [...stdio], detached: true });
    const stop = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), 300_000);
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      output += piece;
    });
    child.on("close", () => {
      clearTimeout(stop);
      resolve(output);
    });
    child.on("error", reject);
  });
}
