import type { SessionState } from "@muster/codebuff-protocol";
import type { Content, Inbox } from "./ports.ts";

/** One prompt of a person to the root agent. */
export interface MainPrompt {
  /** From the previous run, or with an `emptyRunAgentState`; it is not changed, the new one comes with the response. */
  readonly sessionState: SessionState;
  readonly content: Content;
  readonly params?: Record<string, unknown>;
  /** Wins over the cost mode. */
  readonly agent?: string;
  readonly costMode?: string;
  /** Takes the place of the root agent's model. */
  readonly model?: string;
  /** Added to the root agent's system prompt. */
  readonly appendSystemPrompt?: string;
  readonly limits?: Partial<RunLimits>;
  readonly inbox?: Inbox;
  /** Repeated in `start`. */
  readonly messageId?: string;
}

export interface RunLimits {
  /** Model steps of one agent. */
  readonly maxSteps: number;
  /** Model steps of the root and all its descendants together. */
  readonly maxTotalSteps: number;
  readonly maxParallelChildren: number;
  readonly maxDepth: number;
  /** A stream without a chunk for so long was cut. */
  readonly stallMs: number;
  readonly maxOutputTokens: number;
}

export const defaultLimits: RunLimits = {
  maxSteps: 100,
  maxTotalSteps: Number.POSITIVE_INFINITY,
  maxParallelChildren: 8,
  maxDepth: 5,
  stallMs: 60_000,
  maxOutputTokens: 32_000,
};
