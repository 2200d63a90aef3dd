import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type CheckedSettings, checkSettings, type SettingsProblem } from "@muster/codebuff-protocol";
import { makeDirectories, readGuardedText, replaceFile, SerialQueue } from "@muster/node";
import { applyEdits, type JSONPath, type ModificationOptions, modify } from "jsonc-parser";
import type { z } from "zod";
import { SdkError } from "../sdk-error.ts";

/** A file of settings and what it may hold. */
export interface SettingsFile<Schema extends z.ZodObject> {
  readonly path: string;
  readonly schema: Schema;
  /** The person may link their own file; a project's must be where it says it is. */
  readonly links: "followed" | "refused";
  /** Of a file that is made; one that is there keeps its own. */
  readonly mode: number;
}

/** What holds of a file; everything else is a warning with the file, the line and the key. */
export async function readSettings<Schema extends z.ZodObject>(
  { path, schema, links }: Pick<SettingsFile<Schema>, "path" | "schema" | "links">,
  warn: (message: string) => void,
): Promise<CheckedSettings<z.infer<Schema>>> {
  const read = await readGuardedText(path, { links });
  if (read !== undefined && "refusal" in read) warn(`${path} is not used: ${read.refusal}`);
  const checked = checkSettings(schema, read !== undefined && "text" in read ? read.text : "{}");
  for (const problem of checked.problems) warn(problemText(path, problem));
  return checked;
}

function problemText(path: string, { line, key, message }: SettingsProblem): string {
  return `${path}, line ${line}: ${key === "" ? "the file" : key} ${message}`;
}

/** One change after the other: two answers at the same moment both stand in the file. */
const writing = new SerialQueue();
const formatting: ModificationOptions = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" } };

export interface SettingsChange {
  readonly at: JSONPath;
  /** Undefined takes the key out. */
  readonly value: unknown;
  /** Into a list, not in the place of what stands there. */
  readonly inserts?: boolean;
}

/** Changes keys of a file and leaves everything else in it as it is written, comments too. Throws without having changed anything. */
export function changeSettings<Schema extends z.ZodObject>(
  file: SettingsFile<Schema>,
  decide: (given: Readonly<Record<string, unknown>>) => readonly SettingsChange[],
): Promise<void> {
  return writing.run(async () => {
    const { schema, links, mode } = file;
    const read = await readGuardedText(file.path, { links });
    if (read !== undefined && "refusal" in read) throw refused(file.path, read.refusal);
    const before = read?.text.trim() === "" || read === undefined ? "{}\n" : read.text;
    const checked = checkSettings(schema, before);
    const broken = checked.problems.find(({ key }) => key === "");
    if (broken !== undefined) throw refused(file.path, problemText("it", broken));
    const known = new Set(checked.problems.map(({ key }) => key));
    let text = before;
    for (const { at, value, inserts } of decide(checked.given)) {
      text = applyEdits(text, modify(text, at, value, { ...formatting, isArrayInsertion: inserts === true }));
    }
    const fault = checkSettings(schema, text).problems.find(({ key }) => !known.has(key));
    if (fault !== undefined) throw new SdkError("bad_setting", `${fault.key} ${fault.message}`);
    const path = links === "followed" ? await realpath(file.path).catch(() => file.path) : file.path;
    await makeDirectories(dirname(path));
    const kept = (await stat(path).catch(() => undefined))?.mode;
    await replaceFile(path, text.endsWith("\n") ? text : `${text}\n`, {
      mode: kept === undefined ? mode : kept & 0o777,
    });
  });
}

function refused(path: string, reason: string): SdkError {
  return new SdkError("settings_unchanged", `${path} was not changed: ${reason}`);
}
