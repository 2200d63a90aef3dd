import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { replaceFile, takePidLock } from "@muster/node";
import { Result, Settings } from "./result.ts";

/** A folder of results that cannot be used; the text says why. */
export class ResultsError extends Error {}

export interface Results {
  readonly settings: Settings;
  readonly runs: readonly Result[];
}

/** Reads a folder of results, finished or not. */
export async function readResults(folder: string): Promise<Results> {
  const text = await readFile(join(folder, "settings.json"), "utf8").catch(() => {
    throw new ResultsError(`${folder} holds no results: it has no settings.json`);
  });
  const settings = Settings.safeParse(JSON.parse(text));
  if (!settings.success) throw new ResultsError(`${join(folder, "settings.json")} is not of this version`);
  return { settings: settings.data, runs: await readRuns(folder) };
}

/** A line that a kill has cut is no result: its run is made again. */
async function readRuns(folder: string): Promise<Result[]> {
  const text = await readFile(join(folder, "runs.jsonl"), "utf8").catch(() => "");
  const runs = new Map<string, Result>();
  for (const line of text.split("\n")) {
    const result = Result.safeParse(parseOrNothing(line));
    if (result.success) runs.set(`${result.data.task} ${result.data.run}`, result.data);
  }
  return [...runs.values()];
}

function parseOrNothing(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The end of a line that a kill has cut, or the empty one behind the last.
    return undefined;
  }
}

/** A folder that results are written into, by one process at a time. */
export interface OpenResults {
  readonly done: readonly Result[];
  add(result: Result): Promise<void>;
  close(): Promise<void>;
}

/** Opens a folder for the runs of `settings`: a new one, or one where the same runs were begun. */
export async function openResults(folder: string, settings: Settings): Promise<OpenResults> {
  await mkdir(join(folder, "transcripts"), { recursive: true });
  const lock = await takePidLock(join(folder, "lock"));
  if ("heldBy" in lock) throw new ResultsError(`Another muster-eval (process ${lock.heldBy}) writes into ${folder}`);
  try {
    const before = await readResults(folder).catch((error) => {
      if (error instanceof ResultsError && error.message.includes("no settings.json")) return undefined;
      throw error;
    });
    if (before !== undefined && !isDeepStrictEqual(before.settings, settings)) {
      throw new ResultsError(`${folder} holds runs with other settings: ${differenceOf(before.settings, settings)}`);
    }
    await replaceFile(join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
    const file = await open(join(folder, "runs.jsonl"), "a");
    // A cut line is ended, so that the next does not join it.
    if (before !== undefined) await file.write("\n");
    return {
      done: before?.runs ?? [],
      async add(result) {
        await file.write(`${JSON.stringify(result)}\n`);
        await file.datasync();
      },
      async close() {
        await file.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function differenceOf(before: Settings, now: Settings): string {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]) as Set<keyof Settings>;
  const different = [...names].filter((name) => !isDeepStrictEqual(before[name], now[name]));
  return different
    .map((name) => `${name} was ${JSON.stringify(before[name])}, is ${JSON.stringify(now[name])}`)
    .join("; ");
}
