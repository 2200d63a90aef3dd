import { bootId, readProcessTable } from "@muster/node";
import type { AgentHost } from "../host.ts";
import { lifeVariable } from "./child-environment.ts";
import { killLife } from "./kill-life.ts";
import { readSpawnRecords, removeSpawnRecord, type SpawnRecord } from "./spawn-record.ts";

/** One life that a daemon before this one left behind. */
export interface ReapedLife {
  marker: string;
  agent?: string;
  sessionId?: string;
  killed: number[];
  /** True when some of it could not be killed; its record stays for the next start. */
  survives: boolean;
}

/**
 * Kills what a crashed daemon left running and resolves when it is verified dead. For the start of a daemon, before it
 * starts agents of its own.
 */
export async function reapOrphans(livesDirectory: string, log: AgentHost["log"]): Promise<ReapedLife[]> {
  const currentBoot = bootId();
  const records = await readSpawnRecords(livesDirectory);
  return Promise.all(
    records.map(async (record) => {
      const known = "bootId" in record ? record : undefined;
      const life: ReapedLife = { marker: record.marker, killed: [], survives: false };
      if (known !== undefined) life.agent = known.agent;
      if (known?.sessionId !== undefined) life.sessionId = known.sessionId;
      try {
        if (known === undefined || known.bootId === currentBoot) {
          const root = await rootOf(record.marker, known?.root);
          life.killed = await killLife({ marker: record.marker, root });
        }
        await removeSpawnRecord(livesDirectory, record.marker);
      } catch (error) {
        life.survives = true;
        log("error", "a process of an earlier daemon cannot be killed", { ...life, error: String(error) });
      }
      if (life.killed.length > 0) log("warn", "killed what an earlier daemon left running", { ...life });
      return life;
    }),
  );
}

/**
 * The recorded root, unless it is a process without the marker: its record is wrong or forged, and what really carries the
 * marker is found by that. One whose environment cannot be read (another user's, no /proc) is believed.
 */
async function rootOf(marker: string, root: SpawnRecord["root"]): Promise<SpawnRecord["root"]> {
  if (root === undefined) return undefined;
  const entry = (await readProcessTable()).get(root.pid);
  if (entry === undefined || !entry.hasEnvironment()) return root;
  return entry.variable(lifeVariable) === marker ? root : undefined;
}
