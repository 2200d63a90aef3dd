import { isAbsolute, resolve } from "node:path";
import type { CommandEnvironment } from "./command-environment.ts";

/** Where a new session works: what was typed, seen from here, or here. A daemon elsewhere knows its own directories. */
export function directoryFor(
  typed: string | undefined,
  isLocal: boolean,
  { directory }: Pick<CommandEnvironment, "directory">,
): string | undefined {
  if (typed === undefined) return isLocal ? directory : undefined;
  return isLocal && !isAbsolute(typed) ? resolve(directory, typed) : typed;
}
