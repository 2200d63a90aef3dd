import { execFile } from "node:child_process";
import type { GitChanges } from "@muster/codebuff-protocol";

const limitMs = 5_000;
const mostCharacters = 20_000;

/** What git says of the work tree; undefined outside of a repository or when git takes too long. */
export async function readGitChanges(cwd: string): Promise<GitChanges | undefined> {
  const status = await git(cwd, ["status", "--porcelain=v1", "--branch"]);
  if (status === undefined) return undefined;
  const [diff = "", diffCached = "", lastCommitMessages = ""] = await Promise.all([
    git(cwd, ["diff", "--no-ext-diff", "--no-color"]),
    git(cwd, ["diff", "--cached", "--no-ext-diff", "--no-color"]),
    git(cwd, ["log", "-10", "--format=%h %s"]),
  ]);
  return { status, diff, diffCached, lastCommitMessages };
}

function git(cwd: string, args: readonly string[]): Promise<string | undefined> {
  // Never asks for a password, never takes the user's lock, never runs what a repository configures as its monitor.
  const options = [...["-c", "core.fsmonitor=false", "--no-optional-locks"], ...args];
  const env = { ...process.env, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
  return new Promise((resolve) => {
    execFile("git", options, { cwd, env, timeout: limitMs, maxBuffer: 8 * 1024 * 1024 }, (error, stdout) => {
      resolve(error === null ? shorten(stdout.trimEnd()) : undefined);
    });
  });
}

function shorten(text: string): string {
  return text.length <= mostCharacters
    ? text
    : `${text.slice(0, mostCharacters)}\n[… ${text.length - mostCharacters} characters left out]`;
}
