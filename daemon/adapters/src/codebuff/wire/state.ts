import type { Cause, PlanEntry, Usage } from "@muster/schema";
import type { LifeFacts } from "../../channel/open-life.ts";
import type { Resume, Step } from "../../converter/converter.ts";
import type { NewItem } from "../../converter/steps.ts";
import type { AskedQuestion, CodebuffNative } from "./native.ts";

export interface CodebuffState {
  readonly nextItem: number;
  readonly facts: LifeFacts;
  /** agent → the text or thought it is saying. */
  readonly spoken: ReadonlyMap<string, Spoken>;
  /** toolCallId → a call without a result yet. */
  readonly calls: ReadonlyMap<string, Call>;
  /** agentId → a sub-agent at work. */
  readonly agents: ReadonlyMap<string, Subagent>;
  /** runId → the sub-agent whose run it is. */
  readonly runs: ReadonlyMap<string, string>;
  /** agent → the item its next text is to be, because that replaces one that was withdrawn. */
  readonly replacements: ReadonlyMap<string, string>;
  /** toolCallId of an ask_user call → what it asks. */
  readonly asked: ReadonlyMap<string, Asked>;
  readonly goals: ReadonlyMap<string, PlanEntry>;
  /** messageId → a message Codebuff has not begun with. */
  readonly waiting: ReadonlyMap<string, { steers: boolean }>;
  readonly turn: Turn;
  readonly totals: Totals;
  readonly model?: string;
  readonly nativeSessionId?: string;
  /** Where Codebuff works, as it says itself. */
  readonly directory?: string;
}

export interface Spoken {
  kind: "message" | "reasoning";
  itemId: string;
  text: string;
  /** A thought belongs to a run. */
  runId?: string | undefined;
}

export interface Call {
  itemId: string;
  name: string;
  input: Record<string, unknown>;
  agent: string;
  /** It will not count: a person said no, the turn was stopped, or its step is tried again. */
  isCancelled: boolean;
}

export interface Subagent {
  itemId: string;
  item: Omit<NewItem, "status">;
  runId?: string | null | undefined;
}

/** `isAnswered`: by us; the result of the call that asked is still to come. */
export type Asked = { isAnswered?: true } & (
  | { about: "permission"; callId: string }
  | { about: "question"; questions: readonly AskedQuestion[] }
  | { about: "plan" }
);

export interface Turn {
  isOpen: boolean;
  messageIds: readonly string[];
  failure?: { cause: Cause; message: string };
  /** What it said last was cut by the model's output limit. */
  isCut?: boolean;
  /** Of runs that did not end the turn, because a steering message still waited. */
  carried?: { usage?: Usage | undefined; costUsd?: number | undefined };
}

/** What all runs of this life cost, as Codebuff counts it: credits, and dollars where they are known. */
export interface Totals {
  runs: number;
  credits: number;
  dollars: number;
  isKnown: boolean;
}

export type CodebuffStep = Step<CodebuffState, CodebuffNative>;

export const noTurn: Turn = { isOpen: false, messageIds: [] };

export function initialState(resume?: Resume): CodebuffState {
  return {
    nextItem: resume?.nextItem ?? 1,
    facts: { ready: false },
    spoken: new Map(),
    calls: new Map(),
    agents: new Map(),
    runs: new Map(),
    replacements: new Map(),
    asked: new Map(),
    goals: new Map(),
    waiting: new Map(),
    turn: noTurn,
    totals: { runs: 0, credits: 0, dollars: 0, isKnown: true },
  };
}

export const root = "main-agent";

/** Whose line it is. Texts of the root agent have no name or its own. */
export function agentOf(line: { agentId?: string | null | undefined }): string {
  return line.agentId || root;
}

/** The root agent says or does something: what was cut before is not the end. */
export function goOn(state: CodebuffState): CodebuffState {
  return state.turn.isCut ? { ...state, turn: { ...state.turn, isCut: false } } : state;
}

/** The item under which everything of a sub-agent lies. */
export function parentOf(state: CodebuffState, agent: string): string | undefined {
  return state.agents.get(agent)?.itemId;
}
