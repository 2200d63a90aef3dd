import { z } from "zod";
import type { JsonSchema } from "./check-settings.ts";
import { PermissionsFile, ProjectSettings, type SettingWays, UserSettings } from "./settings-schema.ts";

/** One key of a file of settings, as its schema tells it. */
export interface SettingKey extends SettingWays {
  /** Dotted; `<name>` stands for a name of the person's own, `[]` for the entries of a list. */
  readonly key: string;
  readonly type: string;
  readonly description: string;
  readonly default?: unknown;
}

/** The files of settings: who may write them, and their schema. */
export const settingsFiles = {
  user: { path: "~/.codebuff/config.json", schema: UserSettings },
  project: { path: "codebuff.json", schema: ProjectSettings },
  permissions: { path: ".codebuff/permissions.json", schema: PermissionsFile },
} as const;
export type SettingsFileName = keyof typeof settingsFiles;

export function settingsJsonSchema(file: SettingsFileName): JsonSchema {
  return z.toJSONSchema(settingsFiles[file].schema, { io: "input" }) as JsonSchema;
}

/** Every key of a file, the keys inside of objects and lists included. */
export function settingKeys(file: SettingsFileName): SettingKey[] {
  return Object.entries(settingsJsonSchema(file).properties ?? {})
    .filter(([key]) => key !== "$schema")
    .flatMap(([key, schema]) => keysOf(key, schema));
}

function keysOf(key: string, schema: JsonSchema): SettingKey[] {
  const { description = "", flag, env, slash, secret } = schema;
  const own = { key, type: typeOf(schema), description, default: schema.default, flag, env, slash, secret };
  const object = schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema;
  if (object.properties !== undefined)
    return Object.entries(object.properties).flatMap(([name, inner]) => keysOf(`${key}.${name}`, inner));
  if (typeof schema.additionalProperties === "object") return keysOf(`${key}.<name>`, schema.additionalProperties);
  if (schema.items?.properties !== undefined) return [own, ...keysOf(`${key}[]`, schema.items)];
  return [own];
}

function typeOf({ type = "", enum: values, items, anyOf }: JsonSchema): string {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (type === "array") return `list of ${items?.properties === undefined ? "texts" : "objects"}`;
  return { string: "text", integer: "whole number", boolean: "`true` or `false`" }[type] ?? type;
}
