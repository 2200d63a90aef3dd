import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readRegular } from "../regular-file.ts";

/** What is known of one life from outside. The marker is also the file's name, so even a torn record is of use. */
export const SpawnRecord = z.object({
  marker: z.string(),
  agent: z.string(),
  sessionId: z.string().optional(),
  bootId: z.string(),
  /** Absent until the process has been started. */
  root: z.object({ pid: z.int().positive(), startTime: z.string() }).optional(),
});
export type SpawnRecord = z.infer<typeof SpawnRecord>;

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
      const record = SpawnRecord.safeParse(parseOrUndefined(text));
      return record.success ? { ...record.data, marker } : { marker };
    }),
  );
}

function pathOf(livesDirectory: string, marker: string): string {
  return join(livesDirectory, `${marker}.json`);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A record that a crash cut is told apart by the schema.
    return undefined;
  }
}
