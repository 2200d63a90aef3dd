import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of its own for one test, gone afterwards. */
export async function freshFolder(name = "sdk"): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `muster-${name}-`)));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
