import type { IncomingHttpHeaders } from "node:http";
import type { GatewaySessions } from "../ports.ts";
import type { Placeholder } from "./placeholders.ts";

/** Whose request it is. */
export interface Requester {
  readonly sessionId: string;
  /** The agent's own name of the sub-agent that asks. */
  readonly subAgent?: string | undefined;
}

/** Headers in which agents name their session. */
const sessionHeaders = ["x-claude-code-session-id", "session-id", "x-session-id"];
const mostChildren = 10_000;

/**
 * Finds the session of a request. A placeholder of one session names it; a shared one leaves it to the headers, and there a
 * sub-agent may name only its parent: who was seen to be whose child is kept for grandchildren.
 */
export class SessionNames {
  readonly #sessions: Pick<GatewaySessions, "byNativeId" | "nativeIdOf">;
  readonly #parents = new Map<string, string>();

  constructor(sessions: Pick<GatewaySessions, "byNativeId" | "nativeIdOf">) {
    this.#sessions = sessions;
  }

  /** Undefined: nothing in the request tells its session. */
  requesterOf({ holder, asked }: Placeholder, headers: IncomingHttpHeaders): Requester | undefined {
    const subAgent = subAgentOf(headers);
    if ("sessionId" in holder) return { sessionId: holder.sessionId, subAgent };
    const names = sessionHeaders.flatMap((header) => headerOf(headers, header) ?? []);
    const parent = headerOf(headers, "x-parent-session-id");
    if (parent !== undefined) for (const name of names) this.#keep(asked.agent, name, parent);
    for (const name of parent === undefined ? names : [...names, parent]) {
      const sessionId = this.#find(asked.agent, name);
      if (sessionId !== undefined) return { sessionId, subAgent };
    }
    return undefined;
  }

  /**
   * Another session that the request names while its placeholder is of one session: its agent has a key that is not its own.
   * An id that nobody is known by names nobody: agents ask under new ones before they tell them.
   */
  strangerOf({ holder, asked }: Placeholder, headers: IncomingHttpHeaders): string | undefined {
    if (!("sessionId" in holder)) return undefined;
    const own = this.#sessions.nativeIdOf(holder.sessionId);
    if (own === undefined) return undefined;
    for (const header of sessionHeaders) {
      const name = headerOf(headers, header);
      if (name === undefined || name === own) continue;
      const sessionId = this.#sessions.byNativeId(asked.agent, name);
      if (sessionId !== undefined && sessionId !== holder.sessionId) return sessionId;
    }
    return undefined;
  }

  #find(agent: string, name: string): string | undefined {
    const seen = new Set<string>();
    for (
      let at: string | undefined = name;
      at !== undefined && !seen.has(at);
      at = this.#parents.get(`${agent} ${at}`)
    ) {
      const sessionId = this.#sessions.byNativeId(agent, at);
      if (sessionId !== undefined) return sessionId;
      seen.add(at);
    }
    return undefined;
  }

  #keep(agent: string, child: string, parent: string): void {
    if (child === parent) return;
    this.#parents.set(`${agent} ${child}`, parent);
    if (this.#parents.size <= mostChildren) return;
    for (const [oldest] of this.#parents) {
      this.#parents.delete(oldest);
      return;
    }
  }
}

function subAgentOf(headers: IncomingHttpHeaders): string | undefined {
  const named = headerOf(headers, "x-claude-code-agent-id") ?? headerOf(headers, "x-openai-subagent");
  if (named !== undefined) return named;
  const thread = headerOf(headers, "thread-id");
  if (thread !== undefined && thread !== headerOf(headers, "session-id")) return thread;
  return headerOf(headers, "x-parent-session-id") === undefined ? undefined : headerOf(headers, "x-session-id");
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" && value.length <= 512 ? value : undefined;
}
