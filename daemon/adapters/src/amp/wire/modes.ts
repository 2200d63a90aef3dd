import type { Mode } from "@muster/schema";

/** Of the builds with the loop on the user's machine (until spring 2026), and of those with the loop on Amp's service. */
export const knownModes = ["free", "rush", "smart", "low", "medium", "high", "ultra"];

/** The words in the help of `--mode`, as far as they are modes: `or a plugin mode by key…` is none. */
export function modesInHelp(help: string): Mode[] {
  const [, list = ""] = /Set the agent mode \(([^)]*)\)/.exec(help.replaceAll(/\s+/g, " ")) ?? [];
  const names = list.split(",").map((name) => name.trim());
  const end = names.findIndex((name) => !/^[\w-]+$/.test(name));
  return (end === -1 ? names : names.slice(0, end)).map((id) => ({ id }));
}
