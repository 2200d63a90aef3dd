import { type ChildProcess, spawn } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { LineSplitter, signalGroup } from "@muster/node";
import type { ExitGuard } from "../exit-guard.ts";

/** A longer line is a flood, not an answer. */
const longestLine = 64 * 1024 * 1024;
const politeMs = 1_000;

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/**
 * An MCP server as a child: one JSON message per line. It leads a process group, so that what it started ends with it, and
 * it does not keep our process alive while nobody waits for an answer.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #command: ServerCommand;
  readonly #guard: ExitGuard;
  #child: ChildProcess | undefined;
  readonly #lines = new LineSplitter({ lineBytes: longestLine, invalid: "replaced" });
  #stderr = "";

  constructor(command: ServerCommand, guard: ExitGuard) {
    this.#command = command;
    this.#guard = guard;
  }

  /** The last words on stderr, for error messages. */
  get lastWords(): string {
    return this.#stderr.trim().split("\n").slice(-3).join(" ").slice(-300);
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#command;
    const child = spawn(command, args, { cwd, env, stdio: "pipe", detached: process.platform !== "win32" });
    this.#child = child;
    let forget = () => {};
    child.stdout.on("data", (piece: Buffer) => this.#read(piece));
    child.stderr.on("data", (piece: Buffer) => {
      this.#stderr = (this.#stderr + piece.toString("utf8")).slice(-2_000);
    });
    // Writing to a server that has just died is told by its end.
    child.stdin.on("error", () => undefined);
    return new Promise((resolve, reject) => {
      child.once("spawn", () => {
        forget = this.#guard.add(() => this.kill("SIGKILL"));
        resolve();
      });
      child.once("error", (error) => {
        // It never ran: there will be no exit to wait for.
        if (child.pid === undefined) this.#child = undefined;
        reject(error);
      });
      child.once("exit", () => {
        forget();
        this.#child = undefined;
        this.onclose?.();
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin == null || !stdin.writable) throw new Error("The MCP server has ended");
    if (!stdin.write(`${JSON.stringify(message)}\n`))
      await new Promise<void>((resolve) => {
        const done = () => {
          stdin.off("drain", done);
          stdin.off("close", done);
          resolve();
        };
        stdin.on("drain", done);
        stdin.on("close", done);
      });
  }

  /** Asks it to end by closing its input, then ends it and everything it started. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.stdin?.end();
    const timer = setTimeout(() => this.kill("SIGKILL"), politeMs);
    await ended;
    clearTimeout(timer);
    signalGroup(child.pid, "SIGKILL");
  }

  kill(signal: NodeJS.Signals): void {
    signalGroup(this.#child?.pid, signal);
  }

  /** Whether the process may end although this server is open. */
  hold(isNeeded: boolean): void {
    const child = this.#child;
    if (child === undefined) return;
    const streams = [child, child.stdin, child.stdout, child.stderr] as { ref?(): void; unref?(): void }[];
    for (const stream of streams) isNeeded ? stream.ref?.() : stream.unref?.();
  }

  #read(piece: Buffer): void {
    const lines = this.#lines.push(piece);
    for (const line of lines) if (typeof line === "string") this.#onLine(line);
    if (!this.#lines.isOversized && lines.every((line) => typeof line === "string")) return;
    this.onerror?.(new Error("The MCP server sent a message of more than 64 MiB"));
    this.kill("SIGKILL");
  }

  #onLine(line: string): void {
    if (line.trim() === "") return;
    try {
      this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    } catch {
      // Servers print all sorts of things on stdout; what is no message is not for us.
      this.onerror?.(new Error("The MCP server wrote a line that is not JSON"));
    }
  }
}
