import type { Durability } from "@muster/log";
import type { KeeperProgram } from "./keeper/keeper-link.ts";

/** What processes need of the daemon around them. */
export interface ProcessHost {
  /** Theirs alone: records, logs, and the socket of the keeper. */
  readonly directory: string;
  readonly keeper: KeeperProgram;
  /** In which variable the mark of a process is. */
  readonly variable: string;
  /** Whom they run as, when that is not the daemon's own user. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly durability: Durability;
  /** Where they run when nobody says. */
  readonly defaultDirectory: string;
  /** The environment of a process: what of the daemon's own is allowed, what was given, and its mark. */
  environment(given: Readonly<Record<string, string>>, mark: string): Record<string, string>;
  /** The command in the form in which it ends with the process that holds it. */
  bind(
    command: { command: string; args: readonly string[] },
    path: string | undefined,
  ): Promise<{ command: string; args: readonly string[] }>;
  log(level: "debug" | "info" | "warn" | "error", message: string, fields?: Record<string, unknown>): void;
}
