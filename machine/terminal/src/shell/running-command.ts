import type { TerminalSize } from "../channel/channel.ts";
import { unfinishedEnd } from "../output/clean-output.ts";
import { OutputBuffer, type Unread } from "../output/output-buffer.ts";
import { Screen } from "../output/screen.ts";

/** `completed`: the shell is back at its prompt. `died`: the shell itself has ended. */
export type CommandEnd = { kind: "completed" | "died"; exitCode: number };

export type WaitOutcome = "ended" | "limit" | "quiet" | "aborted";

export interface WaitLimits {
  /** Infinity for none. */
  limitMs: number;
  /** Return when nothing has come at all for this long, or nothing more for that long; Infinity for never. */
  silentMs: number;
  quietMs: number;
  signal: AbortSignal | undefined;
}

export interface CommandOptions {
  command: string;
  startingCwd: string;
  interactive: boolean;
  size: TerminalSize;
  terminal: "pty" | "pipes";
  /** Types into the program what its terminal answers to a question. */
  answer(text: string): void;
}

/** One command given to a shell, from its start until it ends; its output is kept until somebody reads it. */
export class RunningCommand {
  readonly command: string;
  readonly startingCwd: string;
  readonly startedAt = Date.now();
  readonly screen: Screen;
  /** Called with every piece of raw output. */
  onOutput: ((bytes: Buffer) => void) | null = null;
  readonly #unread = new OutputBuffer({ headBytes: 256 * 1024, tailBytes: 768 * 1024 });
  readonly #interactive: boolean;
  #end: CommandEnd | null = null;
  #watcher: { output(): void; end(): void } | null = null;

  constructor(options: CommandOptions) {
    this.command = options.command;
    this.startingCwd = options.startingCwd;
    this.#interactive = options.interactive;
    this.screen = new Screen(options);
  }

  get end(): CommandEnd | null {
    return this.#end;
  }

  append(bytes: Buffer): void {
    this.#unread.append(bytes);
    // Nobody can look at the screen of a command that is never left running.
    if (this.#interactive) this.screen.write(bytes);
    this.onOutput?.(bytes);
    this.#watcher?.output();
  }

  finish(end: CommandEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#watcher?.end();
  }

  /** New output since the last read. While the program runs, half a character or escape sequence waits for its rest. */
  takeOutput(): Unread {
    return this.#unread.take(this.#end === null ? unfinishedEnd : undefined);
  }

  wait(limits: WaitLimits): Promise<WaitOutcome> {
    if (this.#end !== null) return Promise.resolve("ended");
    if (limits.signal?.aborted) return Promise.resolve("aborted");
    return new Promise((resolve) => {
      const limit = Number.isFinite(limits.limitMs) ? setTimeout(() => settle("limit"), limits.limitMs) : undefined;
      let quiet = Number.isFinite(limits.silentMs) ? setTimeout(() => settle("quiet"), limits.silentMs) : undefined;
      let heard = false;
      const onAbort = () => settle("aborted");
      limits.signal?.addEventListener("abort", onAbort, { once: true });
      this.#watcher = {
        output: () => {
          if (!Number.isFinite(limits.quietMs)) return;
          if (heard) quiet?.refresh();
          else {
            heard = true;
            clearTimeout(quiet);
            quiet = setTimeout(() => settle("quiet"), limits.quietMs);
          }
        },
        end: () => settle("ended"),
      };
      const settle = (outcome: WaitOutcome) => {
        clearTimeout(limit);
        clearTimeout(quiet);
        limits.signal?.removeEventListener("abort", onAbort);
        this.#watcher = null;
        resolve(outcome);
      };
    });
  }
}
