import type { ToolEffect, ToolInput, ToolName, ToolOutput } from "@muster/codebuff-protocol";
import type { Gate } from "../policy/gate.ts";

export interface CallContext {
  readonly toolCallId: string;
  readonly runId: string;
  readonly agentId: string;
  /** A handler that honours it may still return what it has; one that does not is left behind. */
  readonly signal: AbortSignal;
  /** Pieces of output while the tool works, as they come: they are cleaned and spaced out on their way. */
  readonly progress: (output: string) => void;
  /** Judges paths and commands; what it has to ask is asked for this call. */
  readonly gate: Gate;
}

/** May throw: the runner makes a result of it. */
type ToolHandler<Name extends ToolName> = (input: ToolInput<Name>, context: CallContext) => Promise<ToolOutput>;

export type ToolHandlers = { readonly [Name in ToolName]?: ToolHandler<Name> };

/** A tool of the embedding program or of an MCP server. Nothing it does can end the run. */
export interface CustomTool {
  /** Left out it counts as writing. */
  readonly effect?: ToolEffect;
  /** It is of an MCP server, and not of the program that runs us. */
  readonly isForeign?: boolean;
  /** Of what it says of itself: with another one it is asked for again. */
  readonly fingerprint?: string;
  /** Returns the input with defaults, or throws what is wrong with it. */
  readonly checkInput?: (input: unknown) => unknown;
  readonly execute: (input: unknown, context: CallContext) => unknown;
}
