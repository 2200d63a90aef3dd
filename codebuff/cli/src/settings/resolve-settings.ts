import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type CheckedSettings,
  checkSettings,
  ProjectSettings,
  type SettingKey,
  settingKeys,
  UserSettings,
} from "@muster/codebuff-protocol";
import { readGuardedText } from "@muster/node";
import { z } from "zod";
import { UsageError } from "../exit-codes.ts";
import { keymap } from "../input/key-table.ts";
import type { Io } from "../io.ts";
import type { GivenFlags } from "../run-flags.ts";
import { readTheme, themeNames } from "../text/theme-file.ts";

/** A setting as it holds now, and where that comes from. */
export interface ResolvedSetting extends SettingKey {
  /** Undefined: nothing says anything, and there is no default. */
  readonly value: unknown;
  /** A flag, a variable, a file, or `default`. */
  readonly source: string;
}

export interface ResolvedSettings {
  readonly settings: readonly ResolvedSetting[];
  /** What is wrong in the files, with file, line and key. */
  readonly problems: readonly string[];
}

/** The settings of a run; none where neither a file nor a variable says anything, which costs the first frame nothing. */
export async function settingsForRun(
  flags: GivenFlags,
  io: Pick<Io, "env" | "home">,
  cwd: string,
): Promise<ResolvedSettings> {
  const isThere = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;
  const isSaid =
    Object.keys(io.env).some((name) => name.startsWith("CODEBUFF_")) ||
    (await isThere(join(io.home, ".codebuff", "config.json"))) ||
    (await isThere(await projectPath(cwd)));
  return isSaid ? resolveSettings(flags, io, cwd) : { settings: [], problems: [] };
}

/** Every setting: flags before the environment, the project's file, the person's file and the default. Loads nothing of the SDK: the first frame waits for it. */
export async function resolveSettings(
  flags: GivenFlags,
  { env, home }: Pick<Io, "env" | "home">,
  cwd: string,
): Promise<ResolvedSettings> {
  const userSettings = userSettingsHere(home);
  const [user, project] = await Promise.all([
    readFileOf(join(home, ".codebuff", "config.json"), userSettings, "followed"),
    readFileOf(await projectPath(cwd), ProjectSettings, "refused"),
  ]);
  const settings = settingRows().map((row): ResolvedSetting => {
    const flag = flagOf(flags, row);
    if (flag !== undefined) return { ...row, ...flag };
    const named = row.env === undefined ? undefined : env[row.env]?.trim();
    if (named) return { ...row, value: checkVariable(row, named, userSettings), source: row.env ?? "" };
    for (const { path, given } of [project, user]) {
      const value = valueAt(given, row.key);
      if (value !== undefined) return { ...row, value, source: path };
    }
    return { ...row, value: row.default ?? defaults[row.key], source: "default" };
  });
  const theme = settings.find(({ key }) => key === "theme")?.value;
  const ofTheme = typeof theme === "string" ? (readTheme(home, theme)?.problems ?? []) : [];
  return { settings, problems: [...user.problems, ...project.problems, ...ofTheme] };
}

/** What a theme and an action may be called only this command knows, and on this machine. */
export function userSettingsHere(home: string) {
  const actions = [...new Set(keymap.map(([, , action]) => action)), "none"] as const;
  const keys = z.record(z.string(), z.enum(actions)).check(({ value, issues }) => {
    for (const key of Object.keys(value)) {
      if (isKey(key)) continue;
      issues.push({ code: "custom", message: "is no key: such as ctrl+s or alt+enter", path: [key], input: value });
    }
  });
  return UserSettings.extend({ theme: z.enum(themeNames(home)).optional(), keys: keys.default({}) });
}

const keyShape =
  /^(?:(?:ctrl|shift|alt)\+){0,3}(?:[a-z0-9]|f\d{1,2}|up|down|left|right|home|end|pageUp|pageDown|enter|tab|space|escape|backspace|insert|delete)$/;

function isKey(name: string): boolean {
  return keyShape.test(name);
}

/** Of every key once: what both files may say has one row. */
function settingRows(): SettingKey[] {
  const rows = [...settingKeys("user"), ...settingKeys("project")].filter(({ key }) => !/<|\[/.test(key));
  return [
    ...new Map(rows.map((row) => [row.key, row])).values(),
    groupRow("keys"),
    groupRow("providers"),
    groupRow("oauth"),
  ].filter(({ key }) => !key.startsWith("oauth."));
}

/** Objects with names of the person's own are one setting here. */
function groupRow(key: "keys" | "providers" | "oauth"): SettingKey {
  const { description = "" } = UserSettings.shape[key].meta() ?? {};
  return { key, type: "object", description, default: {} };
}

/** What holds where nothing is said. The policy of a program without one is in `docs/codebuff/permissions.md`. */
const defaults: Readonly<Record<string, unknown>> = { mode: "default", theme: "auto", maxAgentSteps: 100 };

async function projectPath(cwd: string): Promise<string> {
  const [json, jsonc] = [join(cwd, "codebuff.json"), join(cwd, "codebuff.jsonc")];
  const isThere = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;
  return !(await isThere(json)) && (await isThere(jsonc)) ? jsonc : json;
}

async function readFileOf(
  path: string,
  schema: z.ZodObject,
  links: "followed" | "refused",
): Promise<{ path: string; given: CheckedSettings<unknown>["given"]; problems: string[] }> {
  const read = await readGuardedText(path, { links });
  if (read === undefined) return { path, given: {}, problems: [] };
  if ("refusal" in read) return { path, given: {}, problems: [`${path} is not used: ${read.refusal}`] };
  const { given, problems } = checkSettings(schema, read.text);
  const told = problems.map(
    ({ line, key, message }) => `${path}, line ${line}: ${key === "" ? "the file" : key} ${message}`,
  );
  return { path, given, problems: told };
}

function flagOf(flags: GivenFlags, { key, flag }: SettingKey): Pick<ResolvedSetting, "value" | "source"> | undefined {
  if (key === "mode") {
    const mode = flags.free || flags.lite ? "free" : flags.max ? "max" : flags.plan ? "plan" : undefined;
    return mode === undefined ? undefined : { value: mode, source: `--${mode}` };
  }
  if (flag === undefined) return undefined;
  const name = flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const value: unknown = Reflect.get(flags, name);
  if (value === undefined) return undefined;
  return { value: key === "maxAgentSteps" ? Number(value) : value, source: flag };
}

/** A variable is as wrong as a flag: nothing is begun with it. */
function checkVariable(row: SettingKey, text: string, schema: z.ZodObject): unknown {
  const isTruth = row.type.includes("`true`") && /^(?:true|false)$/.test(text);
  const isNumber = row.type === "whole number" && /^\d+$/.test(text);
  const value = isTruth ? text === "true" : isNumber ? Number(text) : text;
  const { problems } = checkSettings(schema, JSON.stringify(nested(row.key, value)));
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(`${row.env} ${row.secret ? "is wrong" : problem.message}`);
  return value;
}

function nested(key: string, value: unknown): unknown {
  return key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

/** `permissions` may be a policy alone. */
function valueAt(given: unknown, key: string): unknown {
  const found = key
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "string" && name === "mode"
          ? value
          : typeof value === "object" && value !== null && Object.hasOwn(value, name)
            ? Reflect.get(value, name)
            : undefined,
      given,
    );
  return found;
}
