import type { TerminalResult } from "@muster/codebuff-protocol";
import { type DetachedCommand, type DetachedOptions, OutputBuffer, startDetached, tailText } from "@muster/terminal";
import { limits } from "./limits.ts";

type Status = NonNullable<TerminalResult["backgroundProcessStatus"]>;

export interface BackgroundProcess {
  processId: number;
  command: string;
  cwd: string;
  status: Status;
  exitCode?: number;
  startedAt: string;
  durationMs: number;
}

/** A process with what it wrote since the last update. */
export interface BackgroundUpdate extends BackgroundProcess {
  newOutput: string;
}

interface Entry {
  command: string;
  cwd: string;
  startedAt: number;
  endedAt: number | null;
  exitCode: number | null;
  detached: DetachedCommand;
  unread: OutputBuffer;
}

/** Commands that run on beside the conversation until they end or are stopped. */
export class BackgroundProcesses {
  readonly #entries = new Map<number, Entry>();

  /** Returns at once; how it goes is told by the updates. */
  start(options: Omit<DetachedOptions, "onOutput">): TerminalResult {
    const { command, cwd } = options;
    const running = [...this.#entries.values()].filter((entry) => entry.exitCode === null).length;
    if (running >= limits.backgroundProcesses) {
      return { command, errorMessage: `${running} processes run in the background already; stop one first` };
    }
    const unread = new OutputBuffer({ headBytes: 1024, tailBytes: 64 * 1024 });
    const detached = startDetached({ ...options, onOutput: (bytes) => unread.append(bytes) });
    const entry: Entry = { command, cwd, startedAt: Date.now(), endedAt: null, exitCode: null, detached, unread };
    if (detached.pid === -1) return { command, errorMessage: `${options.shell} could not be started` };
    this.#entries.set(detached.pid, entry);
    void detached.ended.then((exitCode) => {
      entry.exitCode = exitCode;
      entry.endedAt = Date.now();
      // What it left behind belongs to it.
      return detached.end(limits.timeoutGraceMs);
    });
    return { command, startingCwd: cwd, processId: detached.pid, backgroundProcessStatus: "running" };
  }

  list(): BackgroundProcess[] {
    return [...this.#entries].map(([processId, entry]) => describe(processId, entry));
  }

  /** One entry per process that runs or has ended since the last update; an ended one is told of once. */
  updates(): BackgroundUpdate[] {
    return [...this.#entries].map(([processId, entry]) => {
      if (entry.exitCode !== null) this.#entries.delete(processId);
      return { ...describe(processId, entry), newOutput: tailText(entry.unread.take(), limits.updateCharacters).text };
    });
  }

  /** False when there is no such process. */
  async stop(processId: number): Promise<boolean> {
    const entry = this.#entries.get(processId);
    if (entry === undefined) return false;
    await entry.detached.end(limits.closeGraceMs);
    await entry.detached.ended;
    return true;
  }

  async close(graceMs: number): Promise<void> {
    const entries = [...this.#entries.values()];
    await Promise.all(entries.map((entry) => entry.detached.end(graceMs)));
    await Promise.all(entries.map((entry) => entry.detached.ended));
    this.#entries.clear();
  }
}

function describe(processId: number, entry: Entry): BackgroundProcess {
  return {
    processId,
    command: entry.command,
    cwd: entry.cwd,
    status: entry.exitCode === null ? "running" : entry.exitCode === 0 ? "completed" : "error",
    ...(entry.exitCode === null ? {} : { exitCode: entry.exitCode }),
    startedAt: new Date(entry.startedAt).toISOString(),
    durationMs: (entry.endedAt ?? Date.now()) - entry.startedAt,
  };
}
