/** What the shell is told. 130 is the shell's own number for an interrupted command. */
export const exitCodes = { ok: 0, problem: 1, usage: 2, cannotConnect: 3, interrupted: 130 } as const;

export type Format = "text" | "json";

/** How a command ended, filled in as it runs. */
export interface Outcome {
  code: number;
  errorFormat: Format;
}

/** The command was called wrongly; nothing was sent. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The daemon could not start for a reason outside of it. */
export class StartError extends Error {
  override readonly name = "StartError";
}
