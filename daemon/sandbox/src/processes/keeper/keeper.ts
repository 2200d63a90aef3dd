import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { loadTerminal, type OpenChannel } from "@muster/terminal";
import { FrameReader, messageFrame, outputFrame } from "./frames.ts";
import { KeptProcess } from "./kept-process.ts";
import type { News, Order, StartOrder } from "./messages.ts";

export interface KeeperOptions {
  /** The socket, in the directory this process works in: its path would be too long. */
  socket: string;
  /** In which variable the mark of a process is. */
  variable: string;
  /** How long the processes live on while there is no daemon. */
  patienceMs: number;
}

/** What a connection may hold that the daemon does not take; a daemon that is stopped is not waited for in memory. */
const mostUnsentBytes = 64 * 1024 * 1024;

/**
 * Holds the pipes and terminals of processes, so that they outlive a daemon that is killed: what they write is held here
 * until the daemon says that it is on its disk. A daemon that starts again connects, is told what lives, and goes on.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #kept = new Map<number, KeptProcess>();
  readonly #server: Server;
  #numbers = 0;
  #daemon: Socket | undefined;
  #patience: NodeJS.Timeout | undefined;
  #pty: Promise<OpenChannel | null> | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#connect(socket));
  }

  async listen(): Promise<void> {
    // Whoever starts a keeper has found nobody behind this name.
    rmSync(this.#options.socket, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.socket, resolve);
    });
    chmodSync(this.#options.socket, 0o600);
    this.#waitForDaemon();
  }

  #connect(socket: Socket): void {
    // The newest daemon is the one that holds the data directory.
    this.#daemon?.destroy();
    this.#daemon = socket;
    for (const kept of this.#kept.values()) kept.holdBack();
    clearTimeout(this.#patience);
    const reader = new FrameReader();
    socket.on("data", (piece: Buffer) => {
      for (const frame of reader.read(piece)) {
        if (frame.kind === "input") this.#input(frame.number, frame.ask, Buffer.from(frame.bytes));
        else if (frame.kind === "message") void this.#obey(frame.message as Order);
      }
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      if (this.#daemon !== socket) return;
      this.#daemon = undefined;
      this.#waitForDaemon();
    });
    this.#tell({ is: "here", processes: [...this.#kept.values()].map(({ state }) => state) });
  }

  async #obey(order: Order): Promise<void> {
    switch (order.do) {
      case "start":
        return this.#start(order.ask, order.order);
      case "resume":
        return this.#kept.get(order.number)?.resumeFrom(order.offset);
      case "acknowledge":
        return this.#kept.get(order.number)?.acknowledge(order.offset);
      case "closeInput":
        return this.#kept.get(order.number)?.closeInput();
      case "signal":
        return this.#kept.get(order.number)?.signal(order.signal);
      case "resize":
        return this.#resize(order);
      case "end":
        return this.#kept.get(order.number)?.endNow(order.graceMs);
      case "forget":
        return void this.#kept.delete(order.number);
      case "leave":
        return this.leave(order.graceMs);
    }
  }

  async #start(ask: number, order: StartOrder): Promise<void> {
    this.#numbers++;
    const number = this.#numbers;
    try {
      if (order.pty !== undefined) this.#pty ??= loadTerminal();
      const kept = await KeptProcess.start({
        number,
        order,
        variable: this.#options.variable,
        openPty: (await this.#pty) ?? null,
        onOutput: (piece) => this.#send(outputFrame({ number, ...piece })),
        onEnd: (end) => this.#tell({ is: "ended", number, end }),
        onStart: ({ pid, startTime }) => this.#tell({ is: "started", ask, number, pid, startTime }),
      });
      this.#kept.set(number, kept);
    } catch (error) {
      const { code = "", message } = error as NodeJS.ErrnoException;
      this.#tell({ is: "failed", ask, code, message });
    }
  }

  #input(number: number, ask: number, bytes: Buffer): void {
    const isTaken = this.#kept.get(number)?.input(bytes) === true;
    if (ask > 0) this.#tell({ is: "input", ask, isTaken });
  }

  #resize({ number, size }: Extract<Order, { do: "resize" }>): void {
    const offset = this.#kept.get(number)?.resize(size);
    if (offset !== undefined) this.#tell({ is: "resized", number, offset, size });
  }

  #tell(news: News): void {
    this.#send(messageFrame(news));
  }

  #send(frame: Buffer): void {
    const daemon = this.#daemon;
    if (daemon === undefined) return;
    daemon.write(frame);
    // It does not read: what is held for it is sent again when it connects anew.
    if (daemon.writableLength > mostUnsentBytes) daemon.destroy();
  }

  #waitForDaemon(): void {
    clearTimeout(this.#patience);
    const hasAny = this.#kept.size > 0;
    this.#patience = setTimeout(() => void this.leave(2_000), hasAny ? this.#options.patienceMs : emptyPatienceMs);
  }

  /** Ends everything, then this process. */
  async leave(graceMs: number): Promise<void> {
    // What connects from here on finds nobody, and starts another.
    this.#server.close();
    rmSync(this.#options.socket, { force: true });
    await Promise.all(
      [...this.#kept.values()].map(async (kept) => {
        if (this.#daemon === undefined) kept.drop();
        await kept.endNow(graceMs);
        await kept.over;
      }),
    );
    const daemon = this.#daemon;
    if (daemon === undefined) process.exit(0);
    daemon.end(() => process.exit(0));
  }
}

/** Time for the daemon that started it to connect. */
const emptyPatienceMs = 10_000;
