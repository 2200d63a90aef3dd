import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FrameReader, inputFrame, messageFrame, type OutputFrame } from "./frames.ts";
import type { KeptEnd, KeptProcessState, News, Order, StartOrder } from "./messages.ts";

/** How the keeper is run as a process of its own. */
export interface KeeperProgram {
  readonly command: string;
  readonly args: readonly string[];
}

export interface KeeperListener {
  onOutput(frame: OutputFrame): void;
  onEnded(number: number, end: KeptEnd): void;
  onResized(news: Extract<News, { is: "resized" }>): void;
  /** The keeper is gone, and with it every process it held. */
  onLost(): void;
}

interface Asked {
  resolve(started: Started): void;
  reject(error: Error): void;
}

export interface Started {
  readonly number: number;
  readonly pid: number;
  readonly startTime: string;
}

const patienceMs = 10 * 60_000;
const startMs = 30_000;

/** The daemon's side of the connection to its keeper. */
export class KeeperLink {
  /** What lived when we connected. */
  readonly found: readonly KeptProcessState[];
  readonly #socket: Socket;
  readonly #asked = new Map<number, Asked>();
  readonly #inputs = new Map<number, (isTaken: boolean) => void>();
  readonly #closed: Promise<void>;
  #asks = 0;
  #isLeaving = false;

  /** Connects to the keeper of this directory; undefined when none lives. */
  static async find(directory: string, listener: KeeperListener): Promise<KeeperLink | undefined> {
    const socket = await dial(directory);
    return socket === undefined ? undefined : enter(socket, listener);
  }

  /** The same, and starts one where there is none. */
  static async open(
    directory: string,
    { program, variable, listener }: { program: KeeperProgram; variable: string; listener: KeeperListener },
  ): Promise<KeeperLink> {
    const living = await KeeperLink.find(directory, listener);
    if (living !== undefined) return living;
    const args = [...program.args, directory, variable, String(patienceMs)];
    const errors = await open(join(directory, "keeper.log"), "a", 0o600);
    // Nothing of the daemon's environment: keys are in it, and the keeper lives longer.
    const { PATH, HOME, TMPDIR } = process.env;
    const env = Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value !== undefined));
    const stdio = ["ignore", "ignore", errors.fd] as const;
    const child = spawn(program.command, args, { cwd: directory, env, detached: true, stdio: [...stdio] });
    const failed = new Promise<never>((_, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) =>
        reject(new Error(`The keeper ended with ${code ?? signal}; see keeper.log`)),
      );
    });
    // Later it may end as it likes.
    failed.catch(() => {});
    child.unref();
    await errors.close();
    return Promise.race([failed, untilFound(directory, listener)]);
  }

  /** @internal */
  constructor(socket: Socket, found: readonly KeptProcessState[], listener: KeeperListener) {
    this.#socket = socket;
    this.found = found;
    this.#closed = new Promise((resolve) => {
      socket.once("close", () => {
        resolve();
        for (const { reject } of this.#asked.values()) reject(new Error("The keeper is gone"));
        for (const tell of this.#inputs.values()) tell(false);
        if (!this.#isLeaving) listener.onLost();
      });
    });
  }

  start(order: StartOrder): Promise<Started> {
    this.#asks++;
    const ask = this.#asks;
    const started = new Promise<Started>((resolve, reject) => this.#asked.set(ask, { resolve, reject }));
    this.tell({ do: "start", ask, order });
    return started.finally(() => this.#asked.delete(ask));
  }

  tell(order: Order): void {
    this.#socket.write(messageFrame(order));
  }

  /** Resolves with whether there is room for it; false as well when the process takes none any more. */
  input(number: number, bytes: Uint8Array): Promise<boolean> {
    this.#asks++;
    const ask = this.#asks;
    const told = new Promise<boolean>((resolve) => this.#inputs.set(ask, resolve));
    this.#socket.write(inputFrame({ number, ask, bytes }));
    return told.finally(() => this.#inputs.delete(ask));
  }

  /** Takes no more of what it sends, until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Ends every process, then the keeper. */
  async leave(graceMs: number): Promise<void> {
    this.tell({ do: "leave", graceMs });
    this.#isLeaving = true;
    await this.#closed;
  }

  /** @internal */
  hear(news: News, listener: KeeperListener): void {
    switch (news.is) {
      case "here":
        return;
      case "started":
        return this.#asked.get(news.ask)?.resolve(news);
      case "failed":
        return this.#asked.get(news.ask)?.reject(Object.assign(new Error(news.message), { code: news.code }));
      case "resized":
        return listener.onResized(news);
      case "input":
        return this.#inputs.get(news.ask)?.(news.isTaken);
      case "ended":
        return listener.onEnded(news.number, news.end);
    }
  }
}

async function untilFound(directory: string, listener: KeeperListener): Promise<KeeperLink> {
  for (const giveUp = Date.now() + startMs; Date.now() < giveUp; await sleep(10)) {
    const link = await KeeperLink.find(directory, listener);
    if (link !== undefined) return link;
  }
  throw new Error(`The keeper has not answered within ${startMs / 1000} seconds; see keeper.log`);
}

/** Undefined when nobody listens. The path of a socket has 107 bytes at most; through the descriptor every folder is near. */
async function dial(directory: string): Promise<Socket | undefined> {
  const folder = await open(directory, "r");
  try {
    const path = process.platform === "linux" ? `/proc/self/fd/${folder.fd}/keeper` : join(directory, "keeper");
    return await new Promise((resolve, reject) => {
      const socket = connect(path);
      socket.once("connect", () => resolve(socket));
      socket.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(undefined);
        else reject(error);
      });
    });
  } finally {
    await folder.close();
  }
}

/** The first it says is what it holds; what follows goes to the listener. */
function enter(socket: Socket, listener: KeeperListener): Promise<KeeperLink> {
  const reader = new FrameReader();
  return new Promise((resolve, reject) => {
    let link: KeeperLink | undefined;
    socket.on("error", () => socket.destroy());
    socket.once("close", () => reject(new Error("The keeper closed the connection")));
    socket.on("data", (piece: Buffer) => {
      for (const frame of reader.read(piece)) {
        if (frame.kind === "output") listener.onOutput(frame);
        if (frame.kind !== "message") continue;
        const news = frame.message as News;
        if (news.is === "here") {
          link = new KeeperLink(socket, news.processes, listener);
          resolve(link);
        } else link?.hear(news, listener);
      }
    });
  });
}
