import type { LocalCredential } from "@muster/server";
import { printable } from "./printable.ts";

export interface KeyPlaces {
  /** What agents on this machine would use. */
  credentials: readonly Pick<LocalCredential, "agent" | "provider" | "source">[];
  /** Whether a daemon can take keys out of what /proc shows of it. */
  isErasable: boolean;
  /** Whether the daemon could run agents as another user. */
  isRoot: boolean;
}

/** What protects the keys of this machine from agents, and what does not. */
export function keysText({ credentials, isErasable, isRoot }: KeyPlaces): string {
  const files = new Set(credentials.flatMap(({ source }) => fileIn(source) ?? []));
  const variables = new Set(credentials.flatMap(({ source }) => variableIn(source) ?? []));
  const lines = [
    "keys: agents that reach their model through the gateway have a placeholder; amp, and a ChatGPT or Codebuff login, do not",
  ];
  if (variables.size > 0) {
    const where = `${[...variables].join(", ")} in the environment`;
    lines.push(
      isErasable
        ? `keys: ${where} are taken out of /proc/<pid>/environ of a daemon when it starts`
        : `keys: ${where} stay readable at /proc/<pid>/environ of a daemon for every program of its user`,
    );
  }
  if (files.size > 0) lines.push(`keys: agents of the same user can read ${[...files].join(", ")}`);
  const wall = isRoot ? "--agent-user" : "a daemon of root with --agent-user";
  lines.push(`keys: the same user can also read a daemon's memory where the kernel allows it; the wall is ${wall}`);
  return lines.map((line) => `${printable(line)}\n`).join("");
}

function variableIn(source: string): string | undefined {
  return /^environment (\S+)/.exec(source)?.[1];
}

function fileIn(source: string): string | undefined {
  return variableIn(source) === undefined ? source.replace(/ \S+$/, "") : undefined;
}
