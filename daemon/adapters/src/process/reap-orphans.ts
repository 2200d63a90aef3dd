import { bootId } from "@muster/node";
import type { AgentHost } from "../host.ts";
import { killLife } from "./kill-life.ts";
import { readSpawnRecords, removeSpawnRecord } from "./spawn-record.ts";

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
          life.killed = await killLife({ marker: record.marker, root: known?.root });
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
