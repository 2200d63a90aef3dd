import { readdirSync, readFileSync } from "node:fs";
import { Failure } from "@muster/schema/wire";
import type { ConnectionLimits } from "./connection-gate.ts";

/** With fewer nothing useful can be done: the daemon alone takes some 25. */
const fewest = 128;
/** For the daemon itself: its log, its records of processes, the files it reads on the way. */
const reserve = 40;
/** Three pipes and two files; while it starts, both ends of the pipes. */
const perSession = 12;

/** How many files this process may have open, shared out: half to connections, the rest to sessions and the log. */
export class DescriptorBudget {
  readonly limit: number;
  readonly #countOpen: () => number;
  #starting = 0;

  constructor(limit = descriptorLimit(), countOpen = openDescriptors) {
    if (limit < fewest) {
      throw new Failure(
        "too_many_sessions",
        `this process may open ${limit} files and needs at least ${fewest}; raise the limit, for example: ulimit -n 4096`,
      );
    }
    this.limit = limit;
    this.#countOpen = countOpen;
  }

  get connections(): ConnectionLimits {
    const connections = Math.min(16_384, Math.floor((this.limit - 64) / 2));
    return { connections, strangersPerAddress: Math.ceil(connections / 2) };
  }

  /** Room for one more session until the returned function is called; undefined when there is none. */
  reserveSession(): (() => void) | undefined {
    const needed = reserve + perSession * (this.#starting + 1);
    if (this.#countOpen() + needed > this.limit) return undefined;
    this.#starting++;
    return () => void this.#starting--;
  }
}

/** Node raises the soft limit to the hard one when it starts, so this is what there is. */
function descriptorLimit(): number {
  const stated = process.platform === "linux" ? limitInProc() : limitInReport();
  const limit = Number(stated);
  return Number.isFinite(limit) ? limit : Number.MAX_SAFE_INTEGER;
}

function limitInProc(): string | undefined {
  return /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
}

function limitInReport(): unknown {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  return report.userLimits?.open_files?.soft;
}

function openDescriptors(): number {
  try {
    return readdirSync(process.platform === "linux" ? "/proc/self/fd" : "/dev/fd").length;
  } catch {
    // Not even this one could be opened.
    return Number.MAX_SAFE_INTEGER;
  }
}
