import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { messageOf, parseJson } from "@muster/core";
import { replaceFile } from "@muster/node";
import type { GatewayLog } from "../log.ts";

/** What groups and the daemon have spent, in billionths of a dollar and tokens. */
export interface LedgerSums {
  readonly daemon: Entry;
  readonly groups: ReadonlyMap<string, Entry>;
  /** Requests that were open when their process ended: counted with what they had reserved. */
  readonly openRequests: number;
  /** Lines that are not what was written, counted as nothing. */
  readonly damagedLines: number;
}

interface Entry {
  nanoUsd: number;
  tokens: number;
}

type Line =
  | { sums: Entry; groups: Record<string, Entry> }
  | { begin: string; group?: string; nanoUsd: number; tokens: number }
  | { settle: string; nanoUsd: number; tokens: number };

/**
 * The spending of groups and the daemon on disk. A line is in the file before its request goes out: one write, which a
 * process that is killed has made or not. At the start the file is made one line.
 */
export class Ledger {
  readonly before: LedgerSums;
  readonly #log: GatewayLog;
  /** Undefined: closed. Its number may be another file's by then. */
  #file: number | undefined;

  private constructor(file: number, before: LedgerSums, log: GatewayLog) {
    this.#file = file;
    this.before = before;
    this.#log = log;
  }

  static async open(path: string, log: GatewayLog): Promise<Ledger> {
    const before = foldLedger(readText(path));
    const first: Line = { sums: before.daemon, groups: Object.fromEntries(before.groups) };
    await replaceFile(path, `${JSON.stringify(first)}\n`, { isDurable: true });
    return new Ledger(openSync(path, "a", 0o600), before, log);
  }

  /** Throws when it cannot be written: what is not written down is not sent. */
  begin(requestId: string, group: string | undefined, { nanoUsd, tokens }: Entry): void {
    this.#append({ begin: requestId, ...(group !== undefined && { group }), nanoUsd, tokens });
  }

  /** One that cannot be written is told. */
  settle(requestId: string, { nanoUsd, tokens }: Entry): void {
    try {
      this.#append({ settle: requestId, nanoUsd, tokens });
    } catch (error) {
      // What is not settled counts with what it had reserved.
      this.#log("error", `the ledger could not be written: ${messageOf(error)}`);
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #append(line: Line): void {
    if (this.#file === undefined) throw new Error("the ledger is closed");
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** Pure: the sums that lines make. A request that began and was not settled is owed what it reserved. */
export function foldLedger(text: string): LedgerSums {
  const daemon = { nanoUsd: 0, tokens: 0 };
  const groups = new Map<string, Entry>();
  const open = new Map<string, { group: string | undefined; nanoUsd: number; tokens: number }>();
  let damagedLines = 0;
  const change = (group: string | undefined, nanoUsd: number, tokens: number) => {
    const entries = group === undefined ? [daemon] : [daemon, entryOf(groups, group)];
    for (const entry of entries) {
      entry.nanoUsd += nanoUsd;
      entry.tokens += tokens;
    }
  };
  for (const written of text.split("\n")) {
    if (written === "") continue;
    const line = parseLine(written);
    if (line === undefined) damagedLines++;
    else if ("sums" in line) {
      daemon.nanoUsd += line.sums.nanoUsd;
      daemon.tokens += line.sums.tokens;
      for (const [name, { nanoUsd, tokens }] of Object.entries(line.groups)) {
        const entry = entryOf(groups, name);
        entry.nanoUsd += nanoUsd;
        entry.tokens += tokens;
      }
    } else if ("begin" in line) {
      open.set(line.begin, { group: line.group, nanoUsd: line.nanoUsd, tokens: line.tokens });
      change(line.group, line.nanoUsd, line.tokens);
    } else {
      const begun = open.get(line.settle);
      // Without its beginning nobody knows its group; the daemon has spent it all the same.
      change(begun?.group, line.nanoUsd - (begun?.nanoUsd ?? 0), line.tokens - (begun?.tokens ?? 0));
      open.delete(line.settle);
    }
  }
  return { daemon, groups, openRequests: open.size, damagedLines };
}

function entryOf(groups: Map<string, Entry>, name: string): Entry {
  const entry = groups.get(name) ?? { nanoUsd: 0, tokens: 0 };
  groups.set(name, entry);
  return entry;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new Error(`The ledger ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function parseLine(text: string): Line | undefined {
  // A line that a kill or a full disk tore is counted by the caller.
  const line = parseJson(text);
  return isLine(line) ? line : undefined;
}

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  if ("sums" in value && "groups" in value) {
    const { groups } = value;
    return isEntry(value.sums) && typeof groups === "object" && groups !== null && Object.values(groups).every(isEntry);
  }
  const id = "begin" in value ? value.begin : "settle" in value ? value.settle : undefined;
  return typeof id === "string" && isEntry(value);
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== "object" || value === null) return false;
  const { nanoUsd, tokens } = value as Partial<Entry>;
  return Number.isSafeInteger(nanoUsd) && Number.isSafeInteger(tokens);
}
