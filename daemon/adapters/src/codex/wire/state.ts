import type { PermissionMode } from "@muster/schema";
import type { RpcId } from "../../channel/json-rpc.ts";
import type { LifeFacts } from "../../channel/open-life.ts";
import type { Resume, Step } from "../../converter/converter.ts";
import type { Signal } from "../../signals.ts";
import type { CodexNative, Tokens, TurnError } from "./native.ts";
import type { ThreadItem } from "./thread-item.ts";

/** How a session wants to be led; the answer of Codex does not tell all of it. */
export interface CodexSettings {
  permissionMode: PermissionMode;
  agentMode?: string | undefined;
  variant?: string | undefined;
  /** The key in use. Providers repeat it in their refusals, and the engine does not know one that was found on disk. */
  secret?: string | undefined;
}

interface OpenTurn {
  /** Unknown until Codex has answered `turn/start`. */
  turnId?: string;
  /** Empty for a turn that Codex began by itself. */
  messageIds: readonly string[];
  /** An interrupt that waits for the id. */
  stop?: boolean;
  /** Why we stopped it ourselves. */
  failure?: TurnError;
}

export interface OpenItem {
  itemId: string;
  threadId: string;
  native: ThreadItem;
  /** Text so far by position in `content`: an item that is given up must still equal its deltas. */
  texts: readonly string[];
  /** Reasoning: the key of each position, `s<n>` for the summary and `c<n>` for raw text, in order of appearance. */
  keys: readonly string[];
  /** A command whose approval nobody has given yet; it does not run. */
  waits?: boolean;
  /** A command that went on after its turn. */
  background?: true;
}

/** A thread of a sub-agent, under the call that made it. */
export interface ChildThread {
  itemId: string;
  callId: string;
  agentPath: string;
  parentThreadId: string;
  turnId?: string;
  /** The last whole message of the sub-agent: what its call results in. */
  said: string;
  /** Whether its call still waits for a result. */
  isOpen: boolean;
}

export interface OpenRequest {
  id: RpcId;
  threadId: string;
  kind: "approval" | "permissions" | "mcp" | "questions" | "form";
  /** Names of the questions in order, with the type each answer must have. */
  fields: readonly { name: string; type: "string" | "number" | "boolean" | "list" }[];
  /** What is granted when allowed. */
  permissions?: unknown;
  /** The key of the item that waits for it. */
  itemKey?: string | undefined;
}

export interface CodexState extends CodexSettings {
  facts: LifeFacts;
  nextItem: number;
  threadId?: string;
  directory: string;
  model: string;
  turn: OpenTurn | null;
  /** `<threadId>/<native id>` → item */
  items: ReadonlyMap<string, OpenItem>;
  /** Keys of items whose stream was cut and is tried again: the next item of their type takes their place. */
  cut: readonly string[];
  children: ReadonlyMap<string, ChildThread>;
  requests: ReadonlyMap<string, OpenRequest>;
  steering: ReadonlySet<string>;
  /** Tokens of each thread: in all, and when the open turn began. */
  totals: ReadonlyMap<string, Tokens>;
  baselines: ReadonlyMap<string, Tokens>;
  /** The newest `turn/diff/updated` of the open turn. */
  diff: string;
  /** Counts our own requests that no message names. */
  calls: number;
  /** Items we ended ourselves; what Codex still says of them is late. */
  givenUp: ReadonlySet<string>;
  /** Codex has been told of plan mode, so leaving it must be told too. */
  planned: boolean;
}

export type CodexStep = Step<CodexState, CodexNative>;

export function initialState(settings: CodexSettings, resume?: Resume): CodexState {
  return {
    ...settings,
    facts: { ready: false },
    nextItem: resume?.nextItem ?? 1,
    directory: "",
    model: "",
    turn: null,
    items: new Map(),
    cut: [],
    children: new Map(),
    requests: new Map(),
    steering: new Set(),
    totals: new Map(),
    baselines: new Map(),
    diff: "",
    givenUp: new Set(),
    calls: 0,
    // A thread of earlier lives may have been left in plan mode.
    planned: resume !== undefined,
  };
}

export function reply(state: CodexState, bodies: readonly Signal[], replies: readonly CodexNative[]): CodexStep {
  return { state, bodies, replies };
}

export const keyOf = (threadId: string, nativeId: string): string => `${threadId}/${nativeId}`;

/** Before Codex has told the thread's id, whatever comes is the session's own. */
export const isOwn = ({ threadId: own }: CodexState, threadId: string): boolean =>
  own === undefined || own === threadId;
