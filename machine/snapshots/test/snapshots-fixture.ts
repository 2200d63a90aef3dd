import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
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
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Snapshots, type SnapshotsOptions } from "../src/index.ts";

export interface Project {
  base: string;
  root: string;
  write(path: string, content: string | Buffer): void;
  read(path: string): string;
  git(...args: string[]): string;
  open(options?: Partial<SnapshotsOptions>): Promise<Snapshots>;
}

/** A directory with a store beside it, gone when the test has finished. */
export function makeProject(): Project {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "codebuff-snapshots-test-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  mkdirSync(root);
  const environment = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: "1" };
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"];
  return {
    base,
    root,
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    git: (...args) => execFileSync("git", [...identity, ...args], { cwd: root, env: environment, encoding: "utf8" }),
    open: (options = {}) => Snapshots.open({ root, directory: join(base, "store"), ...options }),
  };
}

/** Every file below a directory as kind, permissions and content. */
export function pictureOf(directory: string, { except = [] as string[] } = {}): Record<string, string> {
  const picture: Record<string, string> = {};
  const visit = (path: string) => {
    for (const name of readdirSync(join(directory, path)).sort()) {
      const below = path === "" ? name : `${path}/${name}`;
      if (except.includes(below)) continue;
      const file = join(directory, below);
      const stat = lstatSync(file);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) picture[below] = `link ${readlinkSync(file)}`;
      else if (stat.isDirectory()) {
        picture[below] = "directory";
        visit(below);
      } else picture[below] = `${mode} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`;
    }
  };
  visit("");
  return picture;
}
