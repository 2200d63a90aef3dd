import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@muster/node";
import { z } from "zod";
import type { Store } from "./store.ts";

/** Claims of one session: which content of which path it made last. Entries are git's: mode and object name. */
const Claims = z.record(z.string(), z.object({ entry: z.string(), by: z.enum(["edit", "command", "hook"]) }));
export type Claims = z.infer<typeof Claims>;

const claimsName = "claims.json";

/** Claims are read by the other sessions of the project, which would take this session's change for their own. */
export async function writeClaims(store: Store, claims: Claims): Promise<void> {
  await replaceFile(join(store.sessionDirectory, claimsName), JSON.stringify(claims));
}

/** Claims of the other sessions that have made any since `sinceMs`. */
export async function readForeignClaims(store: Store, sinceMs: number): Promise<Claims[]> {
  const sessions = join(store.sessionDirectory, "..");
  const own = store.sessionDirectory.slice(store.sessionDirectory.lastIndexOf("/") + 1);
  const found: Claims[] = [];
  for (const name of await readdir(sessions)) {
    if (name === own) continue;
    const file = join(sessions, name, claimsName);
    const used = await stat(file).catch(() => undefined);
    if (used === undefined || used.mtimeMs < sinceMs) continue;
    const claims = Claims.safeParse(await readFile(file, "utf8").then(JSON.parse, () => undefined));
    if (claims.success) found.push(claims.data);
  }
  return found;
}

/**
 * Whether one of the claims is for this very content. An edit tool knows its file; a command is only known to have run
 * meanwhile, so that between two commands the one that was recorded first has the change.
 */
export function isClaimed(
  claims: readonly Claims[],
  { path, entry }: { path: string; entry: string | null },
  by: readonly ("edit" | "command" | "hook")[],
): boolean {
  return claims.some((one) => {
    const claim = Object.hasOwn(one, path) ? one[path] : undefined;
    return claim !== undefined && claim.entry === entry && by.includes(claim.by);
  });
}
