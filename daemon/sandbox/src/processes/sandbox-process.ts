import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { GroupSync } from "@muster/log";
import { Failure, type Process, type ProcessPort, type TerminalSize } from "@muster/schema/wire";
import { ownedProcesses } from "@muster/terminal";
import type { OutputFrame } from "./keeper/frames.ts";
import type { KeeperLink } from "./keeper/keeper-link.ts";
import type { EndReason, KeptEnd } from "./keeper/messages.ts";
import { type ChunkPage, type ChunkReader, ProcessLog } from "./log/process-log.ts";
import { removeMemoryGroup } from "./memory-group.ts";
import { listeningPorts } from "./ports/listening-ports.ts";
import type { ProcessHost } from "./process-host.ts";
import { type ProcessRecord, writeRecord } from "./process-record.ts";

/** Takes the bytes of a terminal as they come; the next are held back until it has them. */
export interface ByteListener {
  take(offset: number, bytes: Buffer): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
}

/** A log that nobody reads is closed after so long. */
const idleLogMs = 10_000;
/** How soon a disk that refused output is tried again. */
const retryMs = 2_000;

/** One process, living or ended: its record, its log, and the way to it. */
export class SandboxProcess {
  /** Resolves when it has ended and that is on disk. */
  readonly ended: Promise<void>;
  readonly #host: ProcessHost;
  readonly #groupSync: GroupSync;
  #record: ProcessRecord;
  #log: Promise<ProcessLog> | undefined;
  #users = 0;
  #idle: NodeJS.Timeout | undefined;
  #link: KeeperLink | undefined;
  #number = 0;
  #outputBytes: number;
  #listener: ByteListener | undefined;
  #intake: Promise<void> = Promise.resolve();
  #written: Promise<void> = Promise.resolve();
  #tellEnded: () => void = () => {};

  constructor(host: ProcessHost, groupSync: GroupSync, record: ProcessRecord) {
    this.#host = host;
    this.#groupSync = groupSync;
    this.#record = record;
    this.#outputBytes = record.end?.outputBytes ?? 0;
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
    if (record.end !== undefined) this.#tellEnded();
  }

  get record(): ProcessRecord {
    return this.#record;
  }

  get isRunning(): boolean {
    return this.#record.end === undefined;
  }

  get outputBytes(): number {
    return this.#outputBytes;
  }

  get view(): Process {
    const { processId, command, args, directory, owner, pty, limits, createdAt, root, adopted, end } = this.#record;
    return {
      processId,
      command,
      args: [...args],
      directory,
      ...(owner !== undefined && { owner }),
      ...(pty !== undefined && { pty }),
      limits,
      state: end === undefined ? "running" : "ended",
      ...(root !== undefined && { pid: root.pid }),
      createdAt,
      outputBytes: this.#outputBytes,
      adopted,
      ...(end !== undefined && { end }),
    };
  }

  get folder(): string {
    return join(this.#host.directory, this.#record.processId);
  }

  /** It lives in this keeper under this number. */
  async begin(link: KeeperLink, started: { number: number; pid: number; startTime: string }): Promise<void> {
    this.#link = link;
    this.#number = started.number;
    await this.#rewrite({ root: { pid: started.pid, startTime: started.startTime } });
  }

  /** A daemon that started anew takes it over: what was written meanwhile comes as if nothing had been. */
  async adopt(link: KeeperLink, kept: { number: number; pid: number; startTime: string }): Promise<void> {
    const log = await this.#enter();
    this.#outputBytes = log.end;
    this.#link = link;
    this.#number = kept.number;
    if (!log.hasEnded) await log.append([{ type: "adopted", offset: log.end }]);
    const { pid, startTime } = kept;
    await this.#rewrite({ root: { pid, startTime }, adopted: this.#record.adopted + 1 });
    link.tell({ do: "resume", number: kept.number, offset: log.end });
  }

  /** The log stays open from here on; for a process that lives. */
  async openLog(): Promise<void> {
    await this.#enter();
  }

  /** The same connection brings everything in order; each piece waits for the one before it. */
  takeOutput(frame: OutputFrame): void {
    this.#intake = this.#intake.then(() => this.#take(frame));
  }

  takeEnd(end: KeptEnd): void {
    this.#intake = this.#intake.then(() => this.#settle(end));
  }

  takeSize(size: TerminalSize): void {
    this.#intake = this.#intake.then(async () => {
      const log = await this.#log;
      if (log === undefined) return;
      await this.#listener?.resize(size);
      // A size that the disk refuses is told by the next one.
      await log.append([{ type: "resized", offset: log.end, ...size }]).catch(() => {});
      await this.#rewrite({ pty: size }).catch(() => {});
    });
  }

  /** Its processes are gone, and nobody heard how. */
  async lose(reason: EndReason = "lost"): Promise<void> {
    await this.#intake;
    if (!this.isRunning) return;
    const log = await this.#enter();
    const endedAt = new Date().toISOString();
    await this.#settle({ reason, exitCode: null, signal: null, outputBytes: log.end, endedAt, survivors: [] });
    this.#leave();
  }

  /** One listener at a time: the screen of its terminal. */
  listen(listener: ByteListener | undefined): void {
    this.#listener = listener;
  }

  /** Does something between two pieces: what comes meanwhile waits. */
  async hold(work: () => Promise<void>): Promise<void> {
    // Readers see a piece once it is written.
    const held = this.#intake.then(() => this.#written).then(work);
    this.#intake = held.catch(() => {});
    await held;
  }

  /** Resolves when what holds the process has it. */
  async input(bytes: Uint8Array): Promise<void> {
    const link = this.#living();
    if (bytes.length === 0 || (await link.input(this.#number, bytes))) return;
    // Its end may have come in between.
    this.#living();
    const detail = `Process ${this.#record.processId} reads nothing: more than 1 MiB of input waits for it, or its input was ended`;
    throw new Failure("input_refused", detail, this.#fields);
  }

  closeInput(): void {
    this.#living().tell({ do: "closeInput", number: this.#number });
  }

  signal(signal: NodeJS.Signals): void {
    this.#living().tell({ do: "signal", number: this.#number, signal });
  }

  resize(size: TerminalSize): void {
    if (this.#record.pty === undefined) {
      throw new Failure("no_terminal", `Process ${this.#record.processId} has no terminal`, this.#fields);
    }
    this.#living().tell({ do: "resize", number: this.#number, size });
  }

  /** Resolves when it and all it has started are verified dead. */
  async end(graceMs: number): Promise<void> {
    if (!this.isRunning) return;
    this.#link?.tell({ do: "end", number: this.#number, graceMs });
    await this.ended;
  }

  /** On which it and all it has started listen. */
  async ports(): Promise<ProcessPort[]> {
    const { mark, root } = this.#record;
    if (!this.isRunning || root === undefined) return [];
    return listeningPorts(
      ownedProcesses({ variable: this.#host.variable, mark, roots: [root], since: root.startTime }),
    );
  }

  async read(offset: number, limit: number): Promise<ChunkPage> {
    const log = await this.#enter();
    try {
      return await log.read(offset, limit);
    } finally {
      this.#leave();
    }
  }

  /** Closed by who takes it. */
  async reader(offset: number): Promise<Pick<ChunkReader, "next" | "close" | "position">> {
    const log = await this.#enter();
    let isOpen = true;
    const leave = () => {
      if (isOpen) this.#leave();
      isOpen = false;
    };
    const reader = await log.reader(offset).catch((error: unknown) => {
      leave();
      throw error;
    });
    return {
      get position() {
        return reader.position;
      },
      next: () => reader.next(),
      close() {
        reader.close();
        leave();
      },
    };
  }

  /** The daemon goes: the files are closed, whoever lives lives on. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#intake.catch(() => {});
    const log = this.#log;
    this.#log = undefined;
    await (await log?.catch(() => undefined))?.close().catch(() => {});
  }

  /** Removes all there is of it on disk; it must have ended. */
  async destroy(): Promise<void> {
    clearTimeout(this.#idle);
    await (await this.#log?.catch(() => undefined))?.destroy();
    this.#log = undefined;
    await rm(this.folder, { recursive: true, force: true });
  }

  get #fields() {
    return { processId: this.#record.processId };
  }

  #living(): KeeperLink {
    if (this.#link !== undefined && this.isRunning) return this.#link;
    throw new Failure("process_ended", `Process ${this.#record.processId} has ended`, this.#fields);
  }

  async #take(frame: OutputFrame): Promise<void> {
    const log = await this.#log;
    if (log === undefined) return;
    // A piece before it was refused by the disk: all from there on is asked for again.
    if (frame.offset > log.end) return;
    // What the daemon before had written already is told once more after an adoption.
    const bytes = frame.bytes.subarray(Math.max(0, log.end - frame.offset));
    if (bytes.length === 0) return this.#acknowledge(log.end);
    const { end: offset } = log;
    const content = { type: "output", offset, end: offset + bytes.length, stream: frame.stream } as const;
    try {
      const written = log.append([{ ...content, data: bytes.toString("base64") }]);
      this.#written = written.catch(() => {});
      this.#outputBytes = content.end;
      const taken = this.#listener?.take(offset, bytes);
      void Promise.all([written, taken]).then(
        () => this.#acknowledge(content.end),
        (error: unknown) => this.#recover(log, error),
      );
    } catch (error) {
      await this.#recover(log, error);
    }
  }

  #acknowledge(offset: number): void {
    this.#link?.tell({ do: "acknowledge", number: this.#number, offset });
  }

  /** The disk is full or failed: the keeper holds what came since, and the process with it, until it can be written. */
  async #recover(failed: ProcessLog, error: unknown): Promise<void> {
    if ((await this.#log) !== failed) return;
    const fields = { ...this.#fields, error: String(error) };
    this.#host.log("error", "output of a process cannot be written; it waits", fields);
    await failed.close().catch(() => {});
    this.#log = this.#retry();
    const log = await this.#log;
    this.#outputBytes = log.end;
    this.#link?.tell({ do: "resume", number: this.#number, offset: log.end });
  }

  async #retry(): Promise<ProcessLog> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      const log = await this.#open().catch(() => undefined);
      if (log !== undefined) return log;
    }
  }

  async #settle({ survivors, ...end }: KeptEnd): Promise<void> {
    if (!this.isRunning) return this.#forget();
    const log = await this.#log;
    if (log === undefined) return;
    if (survivors.length > 0) {
      this.#host.log("error", "processes survive SIGKILL", { ...this.#fields, pids: survivors });
    }
    // The end is told again, behind the output that is still to come.
    if (end.reason !== "lost" && log.end < end.outputBytes) return;
    try {
      if (!log.hasEnded) await log.append([{ type: "ended", offset: log.end, ...end }]);
      await this.#rewrite({ end });
    } catch (error) {
      return this.#recover(log, error);
    }
    await removeMemoryGroup(this.#record.mark);
    this.#forget();
    this.#tellEnded();
    this.#leave();
  }

  #forget(): void {
    this.#link?.tell({ do: "forget", number: this.#number });
    this.#link = undefined;
  }

  async #rewrite(change: Partial<ProcessRecord>): Promise<void> {
    const next = { ...this.#record, ...change };
    await writeRecord(this.folder, next);
    this.#record = next;
  }

  #enter(): Promise<ProcessLog> {
    clearTimeout(this.#idle);
    this.#users++;
    this.#log ??= this.#open();
    const opened = this.#log;
    opened.catch(() => {
      this.#users--;
      if (this.#log === opened) this.#log = undefined;
    });
    return opened;
  }

  #leave(): void {
    this.#users--;
    if (this.#users > 0) return;
    this.#idle = setTimeout(() => {
      const log = this.#log;
      this.#log = undefined;
      // It was read only, and nothing of it is left to write.
      void log?.then((opened) => opened.close()).catch(() => {});
    }, idleLogMs).unref();
  }

  #open(): Promise<ProcessLog> {
    const { durability } = this.#host;
    const { processId } = this.#record;
    return ProcessLog.open({ directory: this.folder, processId, durability, groupSync: this.#groupSync });
  }
}
