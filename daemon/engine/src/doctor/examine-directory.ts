import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readRegular } from "@muster/node";
import { Failure } from "@muster/schema/wire";
import type { EngineLog } from "../engine-log.ts";
import { type Layout, layout } from "../store/layout.ts";
import { sessionFolder } from "../store/session-folder.ts";
import { lockDirectory, type WriterLock } from "../store/writer-lock.ts";
import { examineSession } from "./examine-session.ts";
import { repairActive, repairIndex } from "./repair-directory.ts";
import { repairSession } from "./repair-session.ts";
import { type DoctorReport, type Finding, isHarm, type SessionReport } from "./report.ts";

interface ExamineOptions {
  /** Does what a start would do, and keeps whatever it cuts off. */
  repair?: boolean;
  log?: EngineLog;
}

/**
 * Looks at every file of a data directory that no daemon uses: sessions, their logs, the index, the marks of open work.
 * Throws DirectoryInUse, and `invalid_request` where there is no data directory.
 */
export async function examineDirectory(dataDirectory: string, options: ExamineOptions = {}): Promise<DoctorReport> {
  const places = layout(dataDirectory);
  // Looked at first: the lock of a directory that is not there would make one.
  const folder = await stat(places.sessions).catch(() => undefined);
  if (!folder?.isDirectory()) {
    throw new Failure("invalid_request", `${dataDirectory} is no data directory: it has no folder sessions`);
  }
  const lock = await lockDirectory(places, options.log ?? (() => {})).catch((error: unknown) =>
    readOnlyIsFine(error, options),
  );
  try {
    const sessions: SessionReport[] = [];
    for (const name of (await readdir(places.sessions)).sort()) {
      const session = await examineSession(places, name);
      if (session) sessions.push(session);
    }
    const findings = [...(await examineIndex(places, sessions)), ...(await examineActive(places))];
    if (options.repair && lock) await repair(places, lock, { sessions, findings });
    const all = [...findings, ...sessions.flatMap((session) => session.findings)];
    const ok = all.every((finding) => !isHarm(finding) || finding.repaired !== undefined);
    return { dataDirectory, ok, sessions, findings };
  } finally {
    await lock?.release();
  }
}

/** A directory that cannot be written cannot be locked, and nobody else writes it from here either. */
function readOnlyIsFine(error: unknown, { repair }: ExamineOptions): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (!repair && (code === "EROFS" || code === "EACCES")) return undefined;
  throw error;
}

async function examineIndex({ index }: Layout, sessions: readonly SessionReport[]): Promise<Finding[]> {
  // There is none before the first session, and a lost one is made again.
  const text = await readRegular(index).then(String, () => "");
  const { readIndexLines } = await import("../store/session-index-lines.ts");
  const { entries, broken } = readIndexLines(text);
  const listed = new Set([...entries.keys()].map(sessionFolder));
  const unlisted = sessions.filter(({ folder }) => !listed.has(folder)).length;
  if (broken === 0 && unlisted === 0) return [];
  const detail = `${broken} lines of the index are no use, ${unlisted} sessions are not in it; it is made again from the folders`;
  return [{ kind: "index", path: index, detail }];
}

async function examineActive({ active, fileOfActive }: Layout): Promise<Finding[]> {
  const findings: Finding[] = [];
  // No folder, no marks.
  for (const name of await readdir(active).catch(() => [])) {
    const path = join(active, name);
    const exists = await stat(fileOfActive(name)).catch(() => undefined);
    if (name.endsWith(".json") && exists) continue;
    findings.push({ kind: "active", path, detail: "says that a session is at work which is not there" });
  }
  return findings;
}

async function repair(
  places: Layout,
  lock: WriterLock,
  { sessions, findings }: Pick<DoctorReport, "sessions" | "findings">,
): Promise<void> {
  for (const session of sessions) await repairSession(places, lock.fence, session);
  for (const finding of findings) {
    if (finding.kind === "active") await repairActive(finding);
    if (finding.kind === "index") await repairIndex(places, finding);
  }
}
