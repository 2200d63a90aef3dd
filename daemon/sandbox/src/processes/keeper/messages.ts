import type { TerminalSize } from "@muster/terminal";

/** What the keeper is to start. The daemon has made the environment and the last form of the command. */
export interface StartOrder {
  /** The random value in the environment of the process and of all it starts. */
  readonly mark: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly pty?: TerminalSize | undefined;
  /** It is ended after so long. */
  readonly timeoutMs?: number | undefined;
  /** It is ended when it has written so much. */
  readonly outputBytes: number;
}

/** Why a process is over. */
export type EndReason = "exited" | "time_limit" | "output_limit" | "ended" | "lost";

export interface KeptEnd {
  readonly reason: EndReason;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** How much it has written in all. */
  readonly outputBytes: number;
  readonly endedAt: string;
  /** Processes of it that outlive SIGKILL; none, as a rule. */
  readonly survivors: readonly number[];
}

export interface KeptProcessState {
  readonly number: number;
  readonly mark: string;
  readonly pid: number;
  readonly startTime: string;
  /** From here on the keeper still has its output. */
  readonly heldFrom: number;
  readonly end?: KeptEnd | undefined;
}

/** From the daemon. */
export type Order =
  | { do: "start"; ask: number; order: StartOrder }
  /** After a connection: the daemon has the output up to `offset`, and wants the rest. */
  | { do: "resume"; number: number; offset: number }
  | { do: "acknowledge"; number: number; offset: number }
  | { do: "closeInput"; number: number }
  | { do: "signal"; number: number; signal: NodeJS.Signals }
  | { do: "resize"; number: number; size: TerminalSize }
  | { do: "end"; number: number; graceMs: number }
  /** Its end is on the daemon's disk. */
  | { do: "forget"; number: number }
  /** Ends everything, then itself. */
  | { do: "leave"; graceMs: number };

/** From the keeper. */
export type News =
  | { is: "here"; processes: readonly KeptProcessState[] }
  | { is: "started"; ask: number; number: number; pid: number; startTime: string }
  | { is: "failed"; ask: number; code: string; message: string }
  | { is: "resized"; number: number; offset: number; size: TerminalSize }
  | { is: "input"; ask: number; isTaken: boolean }
  | { is: "ended"; number: number; end: KeptEnd };
