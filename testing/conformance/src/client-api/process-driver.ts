import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { UniversalEvent } from "@muster/schema";
import { type CallArgs, type Driver, type Told, ToldError } from "./driver.ts";

interface Line {
  id: number;
  event?: UniversalEvent;
  result?: unknown;
  error?: Told;
}

/** A client in a program of its own, by JSON lines; README.md says which. */
export class ProcessDriver implements Driver {
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, (line: Line) => void>();
  #last = 0;

  constructor([program = "", ...args]: readonly string[], env: NodeJS.ProcessEnv, cwd: string) {
    this.#child = spawn(program, args, { env, cwd, stdio: ["pipe", "pipe", "inherit"] });
    // Whoever waits is told by the end of the lines.
    this.#child.once("error", () => {});
    this.#child.stdin?.on("error", () => {});
    if (this.#child.stdout === null) throw new Error("The driver has no stdout");
    const lines = createInterface({ input: this.#child.stdout, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on("line", (text) => {
      const line = JSON.parse(text) as Line;
      this.#calls.get(line.id)?.(line);
    });
    lines.on("close", () => {
      for (const [id, take] of this.#calls) take({ id, error: { name: "Other", message: "The driver has ended" } });
    });
  }

  call<T>(name: string, args: CallArgs, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const id = this.#begin(name, args, signal, ({ result, error }) => {
        this.#calls.delete(id);
        if (error === undefined) resolve(result as T);
        else reject(new ToldError(error));
      });
    });
  }

  async *stream(name: string, args: CallArgs, signal?: AbortSignal): AsyncGenerator<UniversalEvent> {
    const waiting: Line[] = [];
    let wake: (() => void) | undefined;
    const id = this.#begin(name, args, signal, (line) => {
      waiting.push(line);
      wake?.();
    });
    let isOver = false;
    try {
      for (;;) {
        if (args.paced) this.#write({ id, more: 1 });
        while (waiting.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        do {
          const { event, error } = waiting.shift() as Line;
          isOver = event === undefined;
          if (error !== undefined) throw new ToldError(error);
          if (event === undefined) return;
          yield event;
        } while (waiting.length > 0);
      }
    } finally {
      this.#calls.delete(id);
      if (!isOver) this.#write({ id, cancel: true });
    }
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(timer);
  }

  #begin(call: string, args: CallArgs, signal: AbortSignal | undefined, take: (line: Line) => void): number {
    const id = ++this.#last;
    this.#calls.set(id, take);
    this.#write({ id, call, args });
    signal?.addEventListener("abort", () => this.#write({ id, cancel: true }), { once: true });
    return id;
  }

  #write(line: object): void {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
  }
}
