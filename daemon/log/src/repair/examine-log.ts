import { openRegular } from "@muster/node";
import type { LogForm } from "../log-form.ts";
import { DamagedLog, listSegments, type Segment } from "../segments/segment-file.ts";
import { scanSegment } from "./recover.ts";

/** What is wrong with a log, and where. `from` and `to` are the lines that are lost with it. */
export interface LogFault {
  /**
   * damaged: bytes that are not what was written. cut: a segment ends before the next one begins. missing: nothing is
   * there for these numbers. torn: the end of the log, as a crash leaves it. foreign: not a segment of this log.
   */
  kind: "damaged" | "cut" | "missing" | "torn" | "foreign";
  path: string;
  from?: number;
  to?: number;
  bytes: number;
  detail?: string;
}

export interface LogExamination {
  segments: number;
  lastSequence: number;
  faults: LogFault[];
}

/** Reads every byte of a log and changes nothing. Nobody writes it meanwhile. */
export async function examineLog(directory: string, form: LogForm): Promise<LogExamination> {
  const segments = await listSegments(directory, form.prefix);
  const faults: LogFault[] = [];
  let last = 0;
  for (const [index, segment] of segments.entries()) {
    const { path, first } = segment;
    if (index === 0 && first > 1) faults.push({ kind: "missing", path: directory, from: 1, to: first - 1, bytes: 0 });
    const scan = await scanOrFault(segment, form);
    if ("kind" in scan) {
      faults.push(scan);
      last = Math.max(last, (segments[index + 1]?.first ?? first) - 1);
      continue;
    }
    for (const damage of scan.damages) faults.push({ kind: "damaged", path, ...damage });
    last = scan.header === undefined ? first - 1 : scan.lastSequence;
    const next = segments[index + 1]?.first;
    const bytes = scan.size - scan.end;
    if (next === undefined) {
      if (bytes > 0) faults.push({ kind: "torn", path, bytes });
    } else if (next <= last) {
      faults.push({ kind: "foreign", path, bytes: 0, detail: `the next segment begins again at ${next}` });
    } else if (next > last + 1) {
      faults.push({ kind: bytes > 0 ? "cut" : "missing", path, from: last + 1, to: next - 1, bytes });
    } else if (bytes > 0) faults.push({ kind: "damaged", path, bytes });
  }
  return { segments: segments.length, lastSequence: last, faults };
}

async function scanOrFault(segment: Segment, form: LogForm) {
  const handle = await openRegular(segment.path);
  try {
    const scan = await scanSegment(handle, segment, form);
    return scan;
  } catch (error) {
    if (!(error instanceof DamagedLog)) throw error;
    return { kind: "foreign", path: segment.path, bytes: 0, detail: error.message } as const;
  } finally {
    await handle.close();
  }
}
