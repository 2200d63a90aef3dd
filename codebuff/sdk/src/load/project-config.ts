import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ProjectSettings } from "@muster/codebuff-protocol";
import { readSettings, type SettingsFile } from "../settings/settings-file.ts";
import { howToTrust, type Trust, type TrustItem } from "./trust.ts";

export type { ProjectSettings as ProjectConfig, StartupProcess } from "@muster/codebuff-protocol";

/** `codebuff.json`, or `codebuff.jsonc` where that is the one there is. */
export async function projectFile(root: string): Promise<SettingsFile<typeof ProjectSettings>> {
  const [json, jsonc] = [join(root, "codebuff.json"), join(root, "codebuff.jsonc")];
  const isThere = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;
  const path = !(await isThere(json)) && (await isThere(jsonc)) ? jsonc : json;
  return { path, schema: ProjectSettings, links: "refused", mode: 0o644 };
}

/** What a project's configuration would run or open; undefined when that is nothing. */
export function projectConfigItem(path: string, config: ProjectSettings): TrustItem | undefined {
  const { startupProcesses, fileChangeHooks, permissions } = config;
  const allowed = permissions?.rules.filter(({ effect }) => effect === "allow") ?? [];
  const parts = Object.entries({ startupProcesses, fileChangeHooks, allowed }).filter(([, part]) => part.length > 0);
  if (parts.length === 0) return undefined;
  return { kind: "project config", path, content: JSON.stringify(Object.fromEntries(parts), null, 2) };
}

/** `codebuff.json` of a project. What it would run, and rules that allow something, need the person's acceptance. */
export async function readProjectConfig({
  cwd,
  trust,
  warn,
}: {
  cwd: string;
  trust: Trust;
  warn: (message: string) => void;
}): Promise<ProjectSettings> {
  const file = await projectFile(cwd);
  const { settings } = await readSettings(file, warn);
  const item = projectConfigItem(file.path, settings);
  if (item === undefined || (await trust.accepts(item))) return settings;
  warn(`${file.path}: its commands and what it allows are not used: they have not been accepted yet; ${howToTrust}`);
  const rules = settings.permissions?.rules.filter(({ effect }) => effect !== "allow") ?? [];
  return { ...settings, startupProcesses: [], fileChangeHooks: [], permissions: { rules } };
}
