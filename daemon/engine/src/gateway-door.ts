import type { ModelGateway } from "@muster/schema";
import { Failure } from "@muster/schema/wire";
import type { EngineLog } from "./engine-log.ts";
import type { RequestAccount } from "./session/model-requests.ts";
import type { Session } from "./session/session.ts";
import type { BegunRequest, SettledRequest } from "./session/state/request-journal.ts";

/** A gateway that listens, as the engine needs it. */
export interface RunningGateway extends ModelGateway {
  close(): Promise<void>;
}

/** The sessions in memory: every one with a running agent is. */
export interface SessionsAtWork {
  atWork(sessionId: string): Session | undefined;
  readonly loaded: Iterable<Session>;
}

/** What a gateway asks of sessions and tells them; it has no other way to them. */
export class GatewayDoor {
  readonly #sessions: SessionsAtWork;
  readonly #log: EngineLog;
  /** agent and native id → the session that had it when it was last asked for. */
  readonly #known = new Map<string, string>();

  constructor(sessions: SessionsAtWork, log: EngineLog) {
    this.#sessions = sessions;
    this.#log = log;
  }

  account(sessionId: string): RequestAccount | undefined {
    return this.#sessions.atWork(sessionId)?.modelRequests.account();
  }

  byNativeId(agent: string, nativeId: string): string | undefined {
    const key = JSON.stringify([agent, nativeId]);
    const known = this.#sessions.atWork(this.#known.get(key) ?? "");
    if (known && isCalled(known, agent, nativeId)) return known.sessionId;
    this.#known.delete(key);
    for (const session of this.#sessions.loaded) {
      if (!isCalled(session, agent, nativeId)) continue;
      this.#known.set(key, session.sessionId);
      return session.sessionId;
    }
    return undefined;
  }

  nativeIdOf(sessionId: string): string | undefined {
    return this.#sessions.atWork(sessionId)?.view().nativeSessionId;
  }

  async began(sessionId: string, request: BegunRequest): Promise<void> {
    const session = this.#sessions.atWork(sessionId);
    if (!session) throw new Failure("session_not_found", `There is no session ${sessionId} at work`, { sessionId });
    await session.modelRequests.begin(request);
  }

  settled(sessionId: string, settlement: SettledRequest): void {
    this.#tell(sessionId, (session) => session.modelRequests.settle(settlement));
  }

  warned(sessionId: string, budget: { spentUsd: number; budgetUsd: number }): void {
    this.#tell(sessionId, (session) => session.modelRequests.warn(budget));
  }

  stopped(sessionId: string, reached: { message: string }): void {
    this.#tell(sessionId, (session) => session.modelRequests.stop(reached));
  }

  /** A session that is deleted, or whose disk has failed, needs nothing of it any more. */
  #tell(sessionId: string, tell: (session: Session) => void): void {
    const session = this.#sessions.atWork(sessionId);
    if (!session) return;
    try {
      tell(session);
    } catch (error) {
      this.#log("warn", "the gateway could not tell a session", { sessionId, error: String(error) });
    }
  }
}

function isCalled(session: Session, agent: string, nativeId: string): boolean {
  const view = session.view();
  return view.agent === agent && view.nativeSessionId === nativeId;
}
