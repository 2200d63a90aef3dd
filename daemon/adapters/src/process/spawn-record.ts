import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@muster/core";
import { readRegular } from "@muster/node";

/** What is known of one life from outside. The marker is also the file's name, so even a torn record is of use. */
export interface SpawnRecord {
  marker: string;
  agent: string;
  sessionId?: string;
  bootId: string;
  /** Absent until the process has been started. */
  root?: { pid: number; startTime: string };
}

export const newMarker = () => randomBytes(16).toString("hex");

/** Resolves when the record would survive the daemon. Not synced: a process does not survive its machine either. */
export async function writeSpawnRecord(livesDirectory: string, record: SpawnRecord): Promise<void> {
  await mkdir(livesDirectory, { recursive: true, mode: 0o700 });
  await writeFile(pathOf(livesDirectory, record.marker), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

export async function removeSpawnRecord(livesDirectory: string, marker: string): Promise<void> {
  await rm(pathOf(livesDirectory, marker), { force: true });
}

/** Every record; of one that was cut off by a crash only the marker is known. */
export async function readSpawnRecords(livesDirectory: string): Promise<(SpawnRecord | Pick<SpawnRecord, "marker">)[]> {
  const names = await readdir(livesDirectory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const markers = names.filter((name) => /^[0-9a-f]{32}\.json$/.test(name)).map((name) => name.slice(0, -5));
  return Promise.all(
    markers.map(async (marker) => {
      const text = await readRegular(pathOf(livesDirectory, marker)).then(String, () => "");
      const record = parseJson(text);
      return isSpawnRecord(record) ? { ...record, marker } : { marker };
    }),
  );
}

function pathOf(livesDirectory: string, marker: string): string {
  return join(livesDirectory, `${marker}.json`);
}

/** By hand: every start asks, and no start is to load schemas. */
function isSpawnRecord(value: unknown): value is SpawnRecord {
  const { agent, sessionId, bootId, root } = Object(value) as Partial<Record<keyof SpawnRecord, unknown>>;
  const isText = (field: unknown) => typeof field === "string";
  return isText(agent) && isText(bootId) && (sessionId === undefined || isText(sessionId)) && isRoot(root);
}

function isRoot(value: unknown): boolean {
  if (value === undefined) return true;
  const { pid, startTime } = Object(value) as Record<string, unknown>;
  return Number.isSafeInteger(pid) && Number(pid) > 0 && typeof startTime === "string";
}
