import type { Limits, Spending } from "@muster/schema";

/** One request as it stands in the log of its session. */
export interface WireRequest {
  requestId: string;
  provider: string;
  protocol: "messages" | "responses" | "chat" | "gemini";
  model: string;
  /** The agent's own name of the sub-agent that asks. */
  subAgent?: string;
  /** What the request's input costs by estimate; owed from now on, whatever happens. */
  reserved: Spending;
}

export interface WireSettlement {
  requestId: string;
  /** In place of what was reserved. */
  spent: Spending;
  /** The stream was cut or told no usage: counted by its characters. */
  isEstimated: boolean;
  status: number;
  firstByteMs?: number;
  durationMs: number;
  /** What the answer said of itself: for traces, not for the log. */
  answered?: { isStream?: boolean; model?: string; id?: string; finishReason?: string };
}

export interface SessionAccount {
  limits: Pick<Limits, "budgetUsd"> & { budgetTokens?: number; requestsPerMinute?: number };
  budgetGroup?: string;
  /** What the session's log says was spent, open requests of a killed daemon included. */
  spent: Spending;
}

/** What the gateway asks of sessions and tells them. The server fills it from the engine. */
export interface GatewaySessions {
  /** Undefined: there is no such session, or it is deleted. */
  account(sessionId: string): SessionAccount | undefined;
  /** The session that an agent calls by this id. */
  byNativeId(agent: string, nativeId: string): string | undefined;
  /** What the agent of this session calls it, once that is known. */
  nativeIdOf(sessionId: string): string | undefined;
  /** Resolves when it is written to the session's log: only then the request is forwarded. */
  began(sessionId: string, request: WireRequest): Promise<void>;
  settled(sessionId: string, settlement: WireSettlement): void;
  /** Four fifths of a budget are spent; told once per budget. */
  warned(sessionId: string, budget: { spentUsd: number; budgetUsd: number }): void;
  /** A limit is reached: the session's next requests are refused already, and its turn ends with `budget_exceeded`. */
  stopped(
    sessionId: string,
    reached: { limit: "budgetUsd" | "budgetTokens" | "group" | "daemon"; message: string },
  ): void;
}
