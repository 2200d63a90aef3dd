import { join } from "node:path";
import { UserSettings } from "@muster/codebuff-protocol";
import { readRegular } from "@muster/node";
import { type ParseError, parse as parseJsonc, printParseErrorCode } from "jsonc-parser";
import { readSettings, type SettingsFile } from "./settings-file.ts";

export type { OauthConfig, ProviderConfig, UserSettings as UserConfig } from "@muster/codebuff-protocol";

export function userFile(home: string): SettingsFile<typeof UserSettings> {
  return { path: join(home, ".codebuff", "config.json"), schema: UserSettings, links: "followed", mode: 0o600 };
}

/** `~/.codebuff/config.json`. A field that does not fit is a warning and left out; the rest holds. */
export async function readUserConfig(home: string, warn: (message: string) => void): Promise<UserSettings> {
  return (await readSettings(userFile(home), warn)).settings;
}

/** Undefined when there is no such file; a broken one is a warning with its name. Comments are fine. */
export async function readJsonFile(path: string, warn: (message: string) => void): Promise<unknown> {
  let text: string;
  try {
    text = (await readRegular(path)).toString("utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") warn(`${path} cannot be read (${code})`);
    return undefined;
  }
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error === undefined) return value;
  // Nothing of the file is quoted: it may hold a key. The words are those of the check of settings, so that they are told once.
  const line = text.slice(0, error.offset).split("\n").length;
  warn(`${path}, line ${line}: the file is not valid JSON (${printParseErrorCode(error.error)})`);
  return undefined;
}
