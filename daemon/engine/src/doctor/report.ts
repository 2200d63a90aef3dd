/**
 * What is wrong in a data directory. Kinds of a log are those of its faults; session_file, index, active: a file that is
 * no use. behind: more events were given out than the log holds. unsettled: nothing wrong, the next start ends what was
 * open.
 */
export type FindingKind =
  | "damaged"
  | "cut"
  | "missing"
  | "torn"
  | "foreign"
  | "behind"
  | "session_file"
  | "index"
  | "active"
  | "unsettled";

export interface Finding {
  kind: FindingKind;
  path: string;
  /** One line for a person. */
  detail: string;
  /** The events that are lost with it. */
  from?: number;
  to?: number;
  bytes?: number;
  /** Where the bytes are that were not used or were cut off. */
  keptAs?: string;
  /** What `repair` has done about it. Absent: nothing was done, or nothing can be. */
  repaired?: string;
}

/** ok: everything is what was written. damaged: some of it is not. unreadable: a daemon cannot use the session. */
export interface SessionReport {
  sessionId: string;
  folder: string;
  state: "ok" | "damaged" | "unreadable";
  segments: number;
  lastSequence: number;
  findings: Finding[];
}

export interface DoctorReport {
  dataDirectory: string;
  /** Nothing is wrong, or everything that can be mended was. */
  ok: boolean;
  sessions: SessionReport[];
  /** Of no session. */
  findings: Finding[];
}

/** Found after every crash and mended by every start, without loss. */
const harmless: ReadonlySet<FindingKind> = new Set(["torn", "unsettled"]);

export function isHarm({ kind }: Finding): boolean {
  return !harmless.has(kind);
}
