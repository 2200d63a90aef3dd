import { isAbsolute, resolve } from "node:path";
import type { DaemonOptions } from "@muster/server";
import { InvalidArgumentError } from "commander";
import { UsageError } from "../environment/exit.ts";

type InstallSettings = NonNullable<DaemonOptions["install"]>;
type Sources = NonNullable<InstallSettings["sources"]>;

/** `--agent-source claude=npm --agent-source claude=path:/opt/claude` and `--agent-mirror` as the daemon takes them. */
export function installSettings(choices: readonly string[], mirror: string | undefined): InstallSettings {
  const sources: Record<string, Sources[string]> = {};
  for (const choice of choices) {
    const [, agent, source] = /^([a-z][a-z0-9-]*)=(.+)$/.exec(choice) ?? [];
    if (agent === undefined || source === undefined) {
      throw new UsageError(`--agent-source takes <agent>=vendor, <agent>=npm or <agent>=path:<file>, not '${choice}'`);
    }
    sources[agent] = [...(sources[agent] ?? []), sourceOf(source, choice)];
  }
  return { sources: choices.length > 0 ? sources : undefined, mirror };
}

export function mirrorOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError("Not an http or https URL.");
}

function sourceOf(source: string, choice: string): Sources[string][number] {
  if (source === "vendor" || source === "npm") return { kind: source };
  const [, path] = /^path:(.+)$/.exec(source) ?? [];
  if (path !== undefined) return { kind: "file", path: isAbsolute(path) ? path : resolve(path) };
  throw new UsageError(`--agent-source ${choice}: the source is vendor, npm or path:<file>`);
}
