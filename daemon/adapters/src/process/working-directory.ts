import { stat } from "node:fs/promises";
import { AgentStartFailure } from "../adapter.ts";

/** Servers take a directory that does not exist and work in none (Codex 0.166.0, OpenCode 1.18.33). */
export async function checkDirectory(directory: string): Promise<void> {
  // Whatever keeps it from being looked at keeps an agent from working in it.
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new AgentStartFailure("spawn_failed", `The directory ${directory} does not exist`);
}
