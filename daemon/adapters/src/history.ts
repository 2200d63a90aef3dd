/** A conversation as it is handed to another agent: what was said, call by call, without what only its own agent can read. */
export interface History {
  entries: readonly HistoryEntry[];
}

export type HistoryEntry =
  | { role: "user"; text: string; time: string; turn: number }
  | { role: "assistant"; text: string; time: string; turn: number }
  | HistoryCall;

/** A call with its result; every call has one. */
interface HistoryCall {
  role: "call";
  /** Valid for every provider. */
  callId: string;
  name: string;
  input: Record<string, unknown>;
  output: string;
  isError: boolean;
  time: string;
  turn: number;
}

export interface ImportedHistory {
  nativeSessionId: string;
}
