import { lstatSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { isInside } from "@muster/node";
import { linkedRepository } from "./visible-paths.ts";

/** What git would run later, outside: settings and hooks of the project's repository and of its submodules. */
export const guardedGitFiles = ["config", "config.worktree", "hooks", "modules", "commondir"];

/** Which git directories of a project a command may write but for what git runs, and which paths it may only read. */
export interface GuardedGit {
  readonly directories: readonly string[];
  readonly readOnly: readonly string[];
}

/** All paths are real and inside the project; what lies outside of it is read-only anyway. */
export function guardedGit(root: string): GuardedGit {
  const git = path.join(root, ".git");
  const kind = lstatSync(git, { throwIfNoEntry: false });
  const nested = submodulePaths(root).map((place) => path.join(place, ".git"));
  if (kind?.isDirectory()) return { directories: [git], readOnly: [...nested, ...settingsElsewhere(root, git)] };
  if (kind?.isFile() !== true) return { directories: [], readOnly: nested };
  return { directories: insideOf(root, linkedRepository(git)), readOnly: [git, ...nested] };
}

/** Settings that are links into the project, and files of the project that settings include. */
function settingsElsewhere(root: string, git: string): string[] {
  const own = guardedGitFiles.map((name) => path.join(git, name));
  const linked = own.filter((one) => lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink());
  const included = pathsIn(path.join(git, "config")).map((name) => path.resolve(git, name));
  return insideOf(root, [...linked, ...included]);
}

/** What a file of settings says under `path`. */
function pathsIn(file: string): string[] {
  try {
    const text = readFileSync(file, "utf8");
    return Array.from(text.matchAll(/^\s*path\s*=\s*"?([^"\n]+?)"?\s*$/gim), ([, name = ""]) => name);
  } catch {
    // Not there: it says nothing.
    return [];
  }
}

/** A status of the project's repository starts a git in each submodule, with that one's settings. */
function submodulePaths(root: string): string[] {
  const named = pathsIn(path.join(root, ".gitmodules"));
  return insideOf(
    root,
    named.map((name) => path.join(root, name)),
  );
}

function insideOf(root: string, places: readonly string[]): string[] {
  const real = places.flatMap((place) => {
    try {
      return [realpathSync(place)];
    } catch {
      // Not there: nothing to guard.
      return [];
    }
  });
  return [...new Set(real)].filter((place) => place !== root && isInside(root, place));
}

/**
 * Functions of a shell. `commondir` beside the settings sends git to the settings of another place, and a file that is not
 * there cannot be mounted read-only: `prepare_git` makes one that says "here", which git reads as if there was none.
 * `release_git` takes it away again. Several commands run at once: the last one to hold its lock does that.
 */
export const guardShell = `held=
prepare_git() {
  mkdir -p "$1/hooks" 2>/dev/null || :
  if grep -qis worktreeconfig "$1/config" && [ ! -e "$1/config.worktree" ]; then : >>"$1/config.worktree" || :; fi
  if [ -n "$held" ]; then return 0; fi
  for attempt in 1 2 3 4 5 6 7 8 9; do
    if [ ! -e "$1/commondir" ]; then (set -C; echo . >"$1/commondir") 2>/dev/null || :; fi
    if [ ! -f "$1/commondir" ] || [ -L "$1/commondir" ]; then return 0; fi
    if [ ! -r "$1/commondir" ] || ! command -v flock >/dev/null; then return 0; fi
    exec 9<"$1/commondir"
    flock -w 10 -s 9 || return 0
    if [ "$1/commondir" -ef /proc/self/fd/9 ]; then held=$1/commondir; return 0; fi
  done
  fail "$1/commondir changes all the time"
}
release_git() {
  if [ "$(cat "$held")" = . ] && flock -n -x 9; then rm -f "$held"; fi
}`;
