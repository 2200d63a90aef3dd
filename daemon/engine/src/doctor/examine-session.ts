import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@muster/core";
import { examineLog, type LogFault, lastSeen } from "@muster/log";
import { eventForm } from "../event-log/index.ts";
import type { Layout } from "../store/layout.ts";
import { readSessionFile, type SessionFile } from "../store/session-file.ts";
import { sessionOfFolder } from "../store/session-folder.ts";
import type { Finding, SessionReport } from "./report.ts";

/** One folder of `sessions/`; undefined where it holds no session. */
export async function examineSession(places: Layout, folder: string): Promise<SessionReport | undefined> {
  const directory = join(places.sessions, folder);
  // What cannot be listed is not one of ours.
  const names = await readdir(directory).catch((): string[] => []);
  const hasLog = names.some((name) => /^events-\d+\.jsonl$/.test(name));
  // Begun and never created.
  if (!hasLog && !names.includes("session.json")) return undefined;
  const findings: Finding[] = [];
  const file = await readFileOf(directory, folder, findings);
  const sessionId = file?.sessionId ?? sessionOfFolder(folder) ?? folder;
  const { segments, lastSequence, faults } = await examineLog(directory, eventForm(sessionId, file?.ancestors));
  findings.push(...faults.map(findingOf));
  const given = Math.max(file?.checkpoint?.sequence ?? 0, await lastSeen(directory));
  if (given > lastSequence && !faults.some(({ kind }) => kind === "foreign")) {
    const detail = `the log ends at event ${lastSequence}; numbers up to ${given} may have been seen`;
    findings.push({ kind: "behind", path: directory, detail, from: lastSequence + 1, to: given, bytes: 0 });
  }
  const active = join(places.active, `${folder}.json`);
  // No mark, nothing open.
  if (await stat(active).catch(() => undefined)) {
    findings.push({ kind: "unsettled", path: active, detail: "the next start ends what was open" });
  }
  return { sessionId, folder, state: stateOf(file, findings), segments, lastSequence, findings };
}

async function readFileOf(directory: string, folder: string, findings: Finding[]): Promise<SessionFile | undefined> {
  const path = join(directory, "session.json");
  try {
    const file = await readSessionFile(path, sessionOfFolder(folder));
    if (!file) findings.push({ kind: "session_file", path, detail: "there is a log and no session.json" });
    return file;
  } catch (error) {
    findings.push({ kind: "session_file", path, detail: messageOf(error) });
    return undefined;
  }
}

function stateOf(file: SessionFile | undefined, findings: readonly Finding[]): SessionReport["state"] {
  if (!file || findings.some(({ kind }) => kind === "foreign")) return "unreadable";
  return findings.some(({ kind }) => kind !== "torn" && kind !== "unsettled") ? "damaged" : "ok";
}

const words: Record<LogFault["kind"], string> = {
  damaged: "bytes that are not what was written",
  cut: "the segment ends before the next one begins",
  missing: "no file holds these events",
  torn: "an event that was never written to its end",
  foreign: "not a segment of this log",
};

function findingOf({ detail, ...fault }: LogFault): Finding {
  const isKept = fault.bytes > 0 && fault.kind !== "torn";
  return { ...fault, detail: detail ?? words[fault.kind], ...(isKept && { keptAs: fault.path }) };
}
