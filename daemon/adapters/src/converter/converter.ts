import type { Usage } from "@muster/schema";
import type { Command } from "../commands.ts";
import type { AgentExited, Signal } from "../signals.ts";

/** What a new life carries on from the ones before it. */
export interface Resume {
  nativeSessionId?: string;
  /** The first free number for item ids (`item_<n>`). */
  nextItem: number;
  /** Usage and cost of the session so far, for agents that report running totals. */
  totals: { usage: Usage; costUsd: number };
}

export type Input<Native> =
  | { native: Native }
  | { command: Command }
  | { tick: true; nowMs: number }
  | { exit: AgentExited };

export interface Step<State, Native> {
  state: State;
  bodies: readonly Signal[];
  /** Lines to send to the agent: the command itself, an answer to an unknown request. */
  replies: readonly Native[];
}

/** Pure: no clock, no process, no I/O. Time and our own commands are inputs, so any life replays from a file. */
export interface Converter<State, Native> {
  initial(resume?: Resume): State;
  step(state: State, input: Input<Native>): Step<State, Native>;
}
