/**
 * Whether `npm run test:all` runs the lane `release`: when something that it covers has changed since this branch left main (on
 * main itself: since the last tag), when that cannot be known, and with MUSTER_CI=full.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** How things are packed, and the packages that others import. */
const covered = [
  /(^|\/)(package|package-lock|tsconfig(\.\w+)?)\.json$/,
  /^scripts\/(release|forms|python|bundle|pack-codebuff|codebuff-parts|streets)/,
  /^(deploy|integrations|python)\//,
  /^[^/]+\/[^/]+\/bin\//,
  /^(daemon\/client|codebuff\/(sdk|server))\/src\//,
  /\.release\.test\.ts$/,
];

/** Why it runs, or undefined. */
export function whyReleaseIsDue(env = process.env) {
  if (env.MUSTER_CI === "full") return "MUSTER_CI=full";
  const base = baseOf();
  const changed = base && git("diff", "--name-only", base);
  if (changed === undefined) return "there is no main and no tag to compare with";
  const path = changed.split("\n").find((path) => isCovered(path));
  return path === undefined ? undefined : `${path} has changed`;
}

/** @public test/lanes.test.ts, which has no types of scripts, asks it too. */
export function isCovered(path) {
  return covered.some((pattern) => pattern.test(path));
}

function baseOf() {
  const head = git("rev-parse", "HEAD");
  const left = git("merge-base", "HEAD", "origin/main") ?? git("merge-base", "HEAD", "main");
  // The tag before this commit: a commit that has one itself is being released.
  return left !== undefined && left !== head ? left : git("describe", "--tags", "--abbrev=0", "HEAD^");
}

function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
