import type { z } from "zod";

/**
 * What a call does to the user's machine. Policy and scheduling read only this word:
 * `none` touches nothing, `reads` may run beside anything, `writes` changes files, `runs` starts or steers programs.
 */
export type ToolEffect = "none" | "reads" | "writes" | "runs";

export interface ToolSpec {
  /** One line for the model, the docs and the UI. */
  readonly summary: string;
  readonly input: z.ZodObject;
  /** The value of the json part on success; every tool may answer `ToolError` instead. */
  readonly result: z.ZodType;
  /** Executed on the user's machine, not inside the agent loop or on the server. */
  readonly clientSide: boolean;
  /** A step that called it is followed by another model step. */
  readonly forcing: boolean;
  /** A step that called it is the last one of the turn, whatever else it called. */
  readonly endsTurn?: true;
  readonly effect: ToolEffect;
}

export type ToolSpecs = Readonly<Record<string, ToolSpec>>;
