import { rename, rm } from "node:fs/promises";
import type { Layout } from "../store/layout.ts";
import { SessionIndex } from "../store/session-index.ts";
import type { Finding } from "./report.ts";

/** The mark of nobody's work. */
export async function repairActive(finding: Finding): Promise<void> {
  await rm(finding.path, { recursive: true, force: true });
  finding.repaired = "removed";
}

/** A cache: the folders are the truth. */
export async function repairIndex(places: Layout, finding: Finding): Promise<void> {
  const keptAs = `${places.index}.broken`;
  // An index that was lost leaves nothing to keep.
  const isThere = await rename(places.index, keptAs).then(
    () => true,
    () => false,
  );
  const index = new SessionIndex(places);
  await index.load();
  await index.close();
  finding.repaired = "made again from the folders";
  if (isThere) finding.keptAs = keptAs;
}
