import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { type SettingsFileName, settingKeys, settingsFiles, settingsJsonSchema } from "@muster/codebuff-protocol";
import { changeSettings, projectFile, type SettingsChange, userFile } from "@muster/codebuff-sdk";
import { messageOf, nearestWord, parseJson } from "@muster/core";
import { CommandError, exitCodes, UsageError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { type ResolvedSetting, resolveSettings, userSettingsHere } from "../settings/resolve-settings.ts";
import { rows } from "../settings/setting-rows.ts";

interface ConfigOptions {
  readonly json?: true;
  readonly project?: true;
  readonly cwd?: string;
}

/** `codebuff config list|get|set|unset|path|schema`. */
export async function config(words: readonly string[], options: ConfigOptions, io: Io): Promise<number> {
  const [what = "list", key = "", ...rest] = words;
  const cwd = resolve(io.cwd, options.cwd ?? ".");
  switch (what) {
    case "list":
      return list(options, io, cwd);
    case "get":
      return get(key, options, io, cwd);
    case "set":
      return set(key, rest, options, io, cwd);
    case "unset":
      return unset(key, options, io, cwd);
    case "path":
      io.stdout.write(`${userFile(io.home).path}\n${(await projectFile(cwd)).path}\n`);
      return exitCodes.ok;
    case "schema":
      return schema(key, options, io);
    default:
      throw new UsageError(`config: there is no ${what}; list, get, set, unset, path or schema`);
  }
}

async function list({ json }: ConfigOptions, io: Io, cwd: string): Promise<number> {
  const { settings, problems } = await resolveSettings({}, io, cwd);
  if (json) {
    const shown = settings.map((one) => ({ key: one.key, value: shownValue(one), source: one.source }));
    io.stdout.write(`${JSON.stringify(shown)}\n`);
  } else {
    io.stdout.write(rows(settings.map((one) => [one.key, valueText(one), shortSource(one.source, io.home)])));
  }
  for (const problem of problems) io.stderr.write(`codebuff: ${problem}\n`);
  return problems.length === 0 ? exitCodes.ok : exitCodes.runError;
}

async function get(key: string, { json }: ConfigOptions, io: Io, cwd: string): Promise<number> {
  const { settings } = await resolveSettings({}, io, cwd);
  const found = settings.find((one) => one.key === key) ?? settings.find((one) => one.key === `${key}.mode`);
  if (found === undefined)
    throw unknownKey(
      key,
      settings.map((one) => one.key),
    );
  io.stdout.write(json ? `${JSON.stringify(shownValue(found) ?? null)}\n` : `${valueText(found)}\n`);
  return found.value === undefined ? exitCodes.runError : exitCodes.ok;
}

async function set(
  key: string,
  words: readonly string[],
  options: ConfigOptions,
  io: Io,
  cwd: string,
): Promise<number> {
  const [given] = words;
  if (key === "" || given === undefined || words.length > 1)
    throw new UsageError("config set takes a key and a value; a value with blanks stands in quotes");
  const row = rowOf(key, options);
  if (row.secret && given !== "-")
    throw new UsageError(
      `config set ${key} - reads it from standard input: a key on the command line is seen by others`,
    );
  const value = given === "-" ? (await readAll(io.stdin)).trim() : given;
  await write(key, asValue(value, row.type), options, io, cwd);
  io.stdout.write(`${key} = ${row.secret ? "(hidden)" : value}\n`);
  return exitCodes.ok;
}

async function unset(key: string, options: ConfigOptions, io: Io, cwd: string): Promise<number> {
  rowOf(key, options);
  await write(key, undefined, options, io, cwd);
  return exitCodes.ok;
}

async function write(key: string, value: unknown, options: ConfigOptions, io: Io, cwd: string): Promise<void> {
  try {
    if (options.project) await changeSettings(await projectFile(cwd), () => [{ at: key.split("."), value }]);
    else {
      const file = { ...userFile(io.home), schema: userSettingsHere(io.home) };
      await changeSettings(file, ({ permissions }) => changeOf(key, value, permissions));
    }
  } catch (error) {
    throw new CommandError(messageOf(error), { exitCode: exitCodes.usage });
  }
}

/** A policy alone and an object with one are two ways to write the same: rules beside it stay. */
function changeOf(key: string, value: unknown, permissions: unknown): SettingsChange[] {
  const isPolicy = key === "permissions" || key === "permissions.mode";
  if (!isPolicy) return [{ at: key.split("."), value }];
  const isAlone = typeof permissions !== "object" || permissions === null;
  return [{ at: isAlone ? ["permissions"] : ["permissions", "mode"], value }];
}

/** The row of the schema a key is of: names of the person's own stand for `<name>`. */
function rowOf(key: string, { project }: ConfigOptions) {
  const keys = settingKeys(project ? "project" : "user");
  const known = keys.find((row) => {
    const pattern = row.key.replaceAll(".", "\\.").replace("<name>", "[^.]+").replaceAll("[]", "\\.\\d+");
    return new RegExp(`^${pattern}$`).test(key);
  });
  if (known !== undefined) return known;
  if (keys.some((row) => row.key.startsWith(`${key}.`))) return { key, type: "object", secret: undefined };
  const other = settingKeys(project ? "user" : "project").some((row) => row.key === key);
  if (other)
    throw new UsageError(
      `config: ${key} is a setting of ${settingsFiles[project ? "user" : "project"].path}${project ? "" : ": give --project"}`,
    );
  throw unknownKey(
    key,
    keys.map((row) => row.key),
  );
}

function unknownKey(key: string, keys: readonly string[]): UsageError {
  const near = nearestWord(key, keys);
  return new UsageError(
    `config: there is no setting ${key || "without a name"}${near === undefined ? "; codebuff config lists them" : `; did you mean ${near}?`}`,
  );
}

/** Texts are taken as they are; what is no text is written as JSON. */
function asValue(text: string, type: string): unknown {
  if (type === "text" || type.startsWith("`"))
    return /^(?:true|false)$/.test(text) && type.includes("`true`") ? text === "true" : text;
  return parseJson(text, text);
}

function schema(file: string, { json }: ConfigOptions, io: Io): number {
  const name = (file === "" ? "user" : file) as SettingsFileName;
  if (!Object.hasOwn(settingsFiles, name))
    throw new UsageError(`config schema takes ${Object.keys(settingsFiles).join(", ")}, not ${file}`);
  io.stdout.write(`${JSON.stringify(settingsJsonSchema(name), null, json ? undefined : 2)}\n`);
  return exitCodes.ok;
}

function shownValue({ secret, value }: ResolvedSetting): unknown {
  return secret && value !== undefined ? "(hidden)" : value;
}

function valueText(setting: ResolvedSetting): string {
  const value = shownValue(setting);
  if (value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shortSource(source: string, home: string): string {
  return source.startsWith(`${home}/`) ? `~${source.slice(home.length)}` : source;
}
