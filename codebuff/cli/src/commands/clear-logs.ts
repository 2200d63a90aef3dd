import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";

/** Logs are ours alone: nothing in them is needed again. Sessions stay. */
export async function clearLogs(io: Io): Promise<number> {
  const folder = join(io.home, ".codebuff", "logs");
  const names = await readdir(folder).catch(() => []);
  await rm(folder, { recursive: true, force: true });
  io.stderr.write(names.length === 0 ? "There are no logs.\n" : `Deleted ${names.length} log files in ${folder}\n`);
  return exitCodes.ok;
}
