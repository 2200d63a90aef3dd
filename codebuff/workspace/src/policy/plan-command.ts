import { type Sandbox, type SandboxWish, startPastSession } from "@muster/confinement";
import { quoteForShell } from "@muster/core";
import { isInside } from "@muster/node";
import type { CommandReading } from "./bash/called-programs.ts";

/**
 * How a PLAN command is run: in the sandbox where there is one, else by a shell of its own that knows nothing of the
 * session's functions, aliases and settings, with no program of the project in its path. A `cd` at the front stays in the
 * session, so that the next command begins there.
 */
export function runInPlan(reading: CommandReading, { root, sandbox }: PlanPlace): string {
  const { moves, rest } = splitMoves(reading.text);
  if (rest === "") return moves;
  if (sandbox !== undefined) {
    const { sandbox: by, ...wish } = sandbox;
    return moves + by.wrap(rest, { ...wish, writes: "nothing", network: "denied" });
  }
  const variables = environment(root).map(quoteForShell).join(" ");
  const shell = `/bin/bash --noprofile --norc -p -c ${quoteForShell(guardGit + rest)}`;
  return moves + startPastSession(`/usr/bin/env -i ${variables} ${shell}`);
}

interface PlanPlace {
  readonly root: string;
  /** Where the kernel offers one, with what is seen in it. */
  readonly sandbox?: Pick<SandboxWish, "root" | "visible" | "hidden"> & { readonly sandbox: Sandbox };
}

/**
 * Plain moves only: a word that needs expanding is left to the shell of the command. A move is on one line, because the word
 * on the line after `cd` is a command of its own.
 */
function splitMoves(text: string): { moves: string; rest: string } {
  const line = text.trim();
  const found = /^(?:[ \t]*cd[ \t]+[\w./@+-]+[ \t]*(?:&&|$))+/.exec(line)?.[0] ?? "";
  const moves = found.replace(/(^|&&)[ \t]*cd[ \t]/g, "$1 \\builtin cd ").trimStart();
  return { moves, rest: line.slice(found.length).trim() };
}

/** git would refresh its index and may be set up to run programs of the repository; both are switched off. */
const gitSettings: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["diff.autoRefreshIndex", "false"],
  ["core.untrackedCache", "false"],
  ["diff.ignoreSubmodules", "all"],
  ["log.showSignature", "false"],
  // A format can ask for signatures by a name that the settings give it; gpg writes files of its own.
  ["gpg.program", "false"],
  ["gpg.ssh.program", "false"],
  ["gpg.x509.program", "false"],
];

/**
 * Drivers have names of their own and cannot be switched off by name: a repository that has some is left alone. A submodule
 * has settings of its own and may say that it wants to be looked into: it is not.
 */
const guardGit = `git() {
  local -a all=("$@") place=(); local at=0 runs
  while [[ \${all[at]-} == -* ]]; do
    if [[ \${all[at]} == -C ]]; then place+=(-C "\${all[at+1]}"); at=$((at + 2)); else at=$((at + 1)); fi
  done
  runs=$(command git "\${place[@]}" config --list --show-scope --name-only --includes 2>/dev/null |
    command grep -E '^(local|worktree)[[:space:]](diff\\.external|diff\\..*\\.(textconv|command)|filter\\.|core\\.alternaterefscommand|gpg\\.)')
  if [[ -n $runs ]]; then
    echo "git is not run in PLAN mode here, because the settings of this repository would run programs: $runs" >&2
    return 126
  fi
  case \${all[at]-} in
    status | diff) command git "\${all[@]:0:at+1}" --ignore-submodules=all "\${all[@]:at+1}" ;;
    *) command git "$@" ;;
  esac
}
`;

function environment(root: string): string[] {
  const kept = ["HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [`${name}=${value}`];
  });
  const directories = (process.env.PATH ?? "").split(":").filter((one) => one.startsWith("/") && !isInside(root, one));
  const git = gitSettings.flatMap(([key, value], index) => [
    `GIT_CONFIG_KEY_${index}=${key}`,
    `GIT_CONFIG_VALUE_${index}=${value}`,
  ]);
  return [
    ...kept,
    `PATH=${directories.join(":")}`,
    "PAGER=cat",
    "GIT_PAGER=cat",
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_NO_LAZY_FETCH=1",
    "GIT_ALLOW_PROTOCOL=none",
    `GIT_CONFIG_COUNT=${gitSettings.length}`,
    ...git,
  ];
}
