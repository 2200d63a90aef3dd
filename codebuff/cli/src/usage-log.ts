import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";

/** One line about the use of a feature. It stays on this machine; `--clear-logs` deletes it. */
export async function logUsage(home: string, line: { event: string } & Record<string, unknown>): Promise<void> {
  const folder = join(home, ".codebuff", "logs");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await appendFile(join(folder, "usage.jsonl"), `${JSON.stringify({ at: Date.now(), ...line })}\n`, { mode: 0o600 });
}
