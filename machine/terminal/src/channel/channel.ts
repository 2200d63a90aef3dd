import type { Environment } from "../processes/environment.ts";

/** A living shell and the way to it. The PTY and the pipes differ only behind this. */
export interface Channel {
  readonly kind: "pty" | "pipes";
  readonly pid: number;
  write(text: string | Buffer): void;
  /** Presses the keys of a text; a newline is the Enter key. */
  type(text: string): void;
  interrupt(): void;
  /** False where end of input cannot be sent without closing the shell's own input. */
  endInput(): boolean;
  resize(size: TerminalSize): void;
  /** Takes no more of its output until `resume`: what it writes then waits in the kernel, and so does it. */
  pause(): void;
  resume(): void;
  /** Stops listening. Ending the processes is the owner's business. */
  close(): void;
}

interface ChannelOptions {
  file: string;
  arguments: readonly string[];
  cwd: string;
  environment: Environment;
  size: TerminalSize;
  /** Whom it runs as; only root can say. */
  user?: { readonly uid: number; readonly gid: number } | undefined;
  onData(bytes: Buffer): void;
  /** Called once, after the last data. A signal n is the exit code 128 + n. */
  onExit(exitCode: number): void;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}

export type OpenChannel = (options: ChannelOptions) => Channel;
