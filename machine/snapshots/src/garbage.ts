import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { releaseTree, type Store } from "./store.ts";
import { timelineName } from "./timeline.ts";

/** Forgets other sessions that were not used since `oldest` (in ms), then frees what nothing refers to any more. */
export async function collectStore(store: Store, options: { session: string; oldest: number }): Promise<void> {
  const sessions = join(store.sessionDirectory, "..");
  for (const name of await readdir(sessions)) {
    if (name === options.session) continue;
    const used = await stat(join(sessions, name, timelineName)).catch(() => stat(join(sessions, name)));
    if (used.mtimeMs >= options.oldest || existsSync(join(sessions, name, "index.lock"))) continue;
    await releaseTree(store, `sessions/${name}`);
    await rm(join(sessions, name), { recursive: true, force: true });
  }
  // Another session may have written contents it has not named yet: those of the last hour stay.
  await store.git.run(["gc", "--quiet", "--prune=1.hour.ago"], { indexFile: store.indexFile });
}
