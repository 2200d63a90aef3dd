import { isInside } from "../files/project.ts";
import type { CommandReading } from "./called-programs.ts";
import type { Sandbox } from "./kernel-sandbox.ts";
import { quoteForShell } from "./quote-for-shell.ts";

/**
 * How a PLAN command is run: in the sandbox where there is one, else by a shell of its own that knows nothing of the
 * session's functions, aliases and settings, with no program of the project in its path. A `cd` at the front stays in the
 * session, so that the next command begins there.
 */
export function runInPlan(reading: CommandReading, root: string, sandbox: Sandbox | undefined): string {
  const { moves, rest } = splitMoves(reading.text);
  if (rest === "") return moves;
  if (sandbox !== undefined) return moves + sandbox.wrap(rest, { root, writes: "nothing", network: "denied" });
  return `${moves}env -i ${environment(root).map(quoteForShell).join(" ")} /bin/bash --noprofile --norc -p -c ${quoteForShell(rest)}`;
}

/** Plain moves only: a word that needs expanding is left to the shell of the command. */
function splitMoves(text: string): { moves: string; rest: string } {
  const found = /^(?:\s*cd\s+[\w./@+-]+\s*(?:&&|$))+/.exec(text)?.[0] ?? "";
  return { moves: found, rest: text.slice(found.length).trim() };
}

/** git would refresh its index and may be set up to run programs of the repository; both are switched off. */
const gitSettings: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["diff.external", ""],
  ["diff.autoRefreshIndex", "false"],
  ["core.untrackedCache", "false"],
];

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
    `GIT_CONFIG_COUNT=${gitSettings.length}`,
    ...git,
  ];
}
