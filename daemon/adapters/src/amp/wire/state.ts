import type { Usage } from "@muster/schema";
import type { LifeFacts } from "../../channel/open-life.ts";
import type { Resume, Step } from "../../converter/converter.ts";
import type { AmpNative } from "./native.ts";
import { toolKindOf } from "./tools.ts";

export interface AmpState {
  readonly nextItem: number;
  readonly facts: LifeFacts;
  /** The first time a tick told. */
  readonly startedMs?: number;
  readonly nativeSessionId?: string;
  /** Where Amp began to work, as it says itself: paths keep their names. */
  readonly directory?: string;
  /** tool_use id → a call. Calls of sub-agents stay when they are over: what the sub-agent says may come later. */
  readonly calls: ReadonlyMap<string, Call>;
  /** tool_use id of a sub-agent's call → its own calls that are open. */
  readonly inner: ReadonlyMap<string, ReadonlyMap<string, true>>;
  /** Messages that Amp has not repeated yet, in order. */
  readonly unheard: readonly { messageId: string; steers: boolean }[];
  readonly turn: Turn;
  /** A signal has been sent and the process has not ended yet. */
  readonly isStopping: boolean;
}

export interface Call {
  itemId: string;
  name: string;
  input: unknown;
  /** The tool_use id of the sub-agent's call, if a sub-agent makes this one. */
  parent?: string;
  isOver: boolean;
}

interface Turn {
  isOpen: boolean;
  /** It was begun while the process of the turn before was being stopped. */
  isAfterStop: boolean;
  messageIds: readonly string[];
  usage?: Usage;
  /** The last message has no end, and nothing has followed it; since when, as soon as the time is known. */
  unended?: { sinceMs?: number };
}

export type AmpStep = Step<AmpState, AmpNative>;

const noTurn: Turn = { isOpen: false, isAfterStop: false, messageIds: [] };

export function initialState(resume?: Resume): AmpState {
  return {
    nextItem: resume?.nextItem ?? 1,
    facts: { ready: false },
    nativeSessionId: resume?.nativeSessionId,
    calls: new Map(),
    inner: new Map(),
    unheard: [],
    turn: noTurn,
    isStopping: false,
  };
}

/** The item a line belongs under: the call of its sub-agent. */
export function parentItem(state: AmpState, parent: string | null | undefined): string | undefined {
  return parent ? state.calls.get(parent)?.itemId : undefined;
}

/** What the turn answered, as far as it is known. */
export function turnFacts({ turn: { messageIds, usage } }: AmpState) {
  return { messageIds: messageIds.length === 0 ? undefined : messageIds, usage };
}

/** Nothing of a turn stays, but the calls of sub-agents that may still have something to say. */
export function closeTurn(state: AmpState): AmpState {
  const calls = new Map([...state.calls].filter(([, call]) => toolKindOf(call.name) === "agent"));
  const inner = new Map([...state.inner].filter(([parent]) => calls.has(parent)));
  return { ...state, turn: noTurn, calls, inner };
}
