import { isRecord, parseJson } from "@muster/core";
import { bytesOf } from "../processes/log/output-lines.ts";
import type { ChunkReader } from "../processes/log/process-log.ts";
import type { SandboxProcess } from "../processes/sandbox-process.ts";
import type { TerminalView } from "./terminal-view.ts";

/** The connection of a viewer: binary messages are bytes of the terminal, texts are control messages. */
export interface ViewerSocket {
  sendBytes(bytes: Buffer): void;
  sendText(text: string): void;
  /** Bytes that it has not taken yet. */
  readonly unsent: number;
  onBytes(listener: (bytes: Buffer) => void): void;
  onText(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
  close(code: number, reason: string): void;
}

export interface ViewerOptions {
  socket: ViewerSocket;
  /** What it has seen already; without it, or when that is too long ago, it is shown the screen. */
  offset?: number | undefined;
  /** no: it only looks. alone: while it is there, nobody else writes. */
  writes: "yes" | "no" | "alone";
}

/** A viewer so far behind is shown the screen in place of what it has missed. */
const mostBehind = 1024 * 1024;
const mostUnsent = 256 * 1024;
/** How soon a viewer that does not take its bytes is looked at again. */
const unsentMs = 10;

/** Who may type: everybody who may write, or the one who wants to be alone. */
export class Writers {
  readonly #all = new Set<Viewer>();

  enter(viewer: Viewer): void {
    this.#all.add(viewer);
    this.#tell();
  }

  leave(viewer: Viewer): void {
    this.#all.delete(viewer);
    this.#tell();
  }

  may(viewer: Viewer): boolean {
    const alone = [...this.#all].find(({ writes }) => writes === "alone");
    return viewer.writes !== "no" && (alone === undefined || alone === viewer);
  }

  #tell(): void {
    for (const viewer of this.#all) viewer.tellWriting(this.may(viewer));
  }
}

/** Somebody who looks at a terminal: first the screen as it is, then every byte that follows. */
export class Viewer {
  readonly writes: ViewerOptions["writes"];
  readonly #process: SandboxProcess;
  readonly #view: TerminalView;
  readonly #writers: Writers;
  readonly #socket: ViewerSocket;
  readonly #offset: number | undefined;
  #reader: Pick<ChunkReader, "next" | "close" | "position"> | undefined;
  #isOpen = true;
  #mayWrite: boolean | undefined;

  constructor({ process, view, writers, socket, offset, writes }: ViewerOptions & ViewerPlace) {
    this.#process = process;
    this.#view = view;
    this.#writers = writers;
    this.#socket = socket;
    this.#offset = offset;
    this.writes = writes;
  }

  /** Resolves when either side is done. */
  async run(): Promise<void> {
    this.#socket.onBytes((bytes) => this.#type(bytes));
    this.#socket.onText((text) => this.#obey(text));
    this.#socket.onClose(() => {
      this.#isOpen = false;
      this.#reader?.close();
    });
    this.#writers.enter(this);
    try {
      await this.#show();
      if (this.#isOpen) this.#end();
    } finally {
      this.#reader?.close();
      this.#writers.leave(this);
    }
  }

  tellWriting(mayWrite: boolean): void {
    if (this.#mayWrite === mayWrite) return;
    this.#mayWrite = mayWrite;
    this.#tell({ type: "writing", allowed: mayWrite });
  }

  async #show(): Promise<void> {
    const { outputBytes } = this.#process;
    const isNear =
      this.#offset !== undefined && this.#offset <= outputBytes && outputBytes - this.#offset <= mostBehind;
    this.#reader = await this.#process.reader(isNear ? (this.#offset ?? 0) : await this.#showScreen());
    if (isNear) this.#tell({ type: "from", offset: this.#offset });
    while (this.#isOpen) {
      const chunks = await this.#reader.next();
      if (chunks === null) return;
      for (const chunk of chunks) {
        if (chunk.type === "output") this.#socket.sendBytes(bytesOf(chunk));
        else if (chunk.type === "resized") this.#tell({ type: "resized", columns: chunk.columns, rows: chunk.rows });
        else if (chunk.type !== "ended") this.#tell(chunk);
      }
      await this.#untilTaken();
      if (this.#isOpen && this.#process.outputBytes - this.#reader.position > mostBehind) await this.#catchUp();
    }
  }

  /** Told before its bytes, so that a viewer makes its terminal of the right size. */
  async #showScreen(): Promise<number> {
    const { text, offset, columns, rows } = await this.#view.snapshot();
    this.#tell({ type: "snapshot", offset, columns, rows, bytes: text.length });
    this.#socket.sendBytes(text);
    return offset;
  }

  async #catchUp(): Promise<void> {
    this.#reader?.close();
    this.#reader = await this.#process.reader(await this.#showScreen());
  }

  async #untilTaken(): Promise<void> {
    while (this.#isOpen && this.#socket.unsent > mostUnsent) await new Promise((go) => setTimeout(go, unsentMs));
  }

  #end(): void {
    const { end } = this.#process.record;
    this.#tell({ type: "ended", ...end });
    this.#socket.close(1000, "The process has ended");
  }

  #type(bytes: Buffer): void {
    // What it writes after the end, or beyond all measure, goes nowhere, as with every terminal.
    if (this.#mayWrite && this.#process.isRunning) this.#process.input(bytes).catch(() => {});
  }

  #obey(text: string): void {
    // What is no message of ours means nothing.
    const message = parseJson(text);
    if (!isRecord(message)) return;
    if (message.type === "ping") return this.#tell({ type: "pong" });
    if (message.type !== "resize" || !this.#mayWrite || !this.#process.isRunning) return;
    const { columns, rows } = message;
    const isSize = (value: unknown, least: number): value is number =>
      Number.isInteger(value) && Number(value) >= least && Number(value) <= 1000;
    if (isSize(columns, 2) && isSize(rows, 1)) this.#process.resize({ columns, rows });
    else this.#tell({ type: "refused", detail: "A size is 2 to 1000 columns and 1 to 1000 rows" });
  }

  #tell(message: object): void {
    if (this.#isOpen) this.#socket.sendText(JSON.stringify(message));
  }
}

interface ViewerPlace {
  process: SandboxProcess;
  view: TerminalView;
  writers: Writers;
}
