import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@muster/core";
import { readRegular, replaceFile } from "@muster/node";
import type { ProcessEnd, ProcessLimits, TerminalSize } from "@muster/schema/wire";

/** What is on disk of one process beside its log. Values of its environment are nowhere. */
export interface ProcessRecord {
  readonly format: 1;
  readonly processId: string;
  /** By which it and all it starts are found, wherever they moved in the process tree. */
  readonly mark: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly owner?: string | undefined;
  readonly pty?: TerminalSize | undefined;
  /** Before it was given another. */
  readonly firstSize?: TerminalSize | undefined;
  readonly limits: ProcessLimits;
  readonly createdAt: string;
  readonly bootId: string;
  /** Absent until it has been started. */
  readonly root?: { readonly pid: number; readonly startTime: string } | undefined;
  readonly adopted: number;
  readonly end?: ProcessEnd | undefined;
}

const file = "process.json";

export async function writeRecord(folder: string, record: ProcessRecord): Promise<void> {
  await replaceFile(join(folder, file), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** Every process of the directory, oldest first. A folder without a record was never told to anybody. */
export async function readRecords(directory: string): Promise<{ records: ProcessRecord[]; torn: string[] }> {
  const entries = await readdir(directory, { withFileTypes: true });
  const records: ProcessRecord[] = [];
  const torn: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const text = await readRegular(join(directory, entry.name, file)).then(String, () => "");
    const record = parseJson(text) as ProcessRecord | undefined;
    if (record?.format === 1 && record.processId === entry.name) records.push(record);
    else torn.push(entry.name);
  }
  return { records: records.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)), torn };
}
