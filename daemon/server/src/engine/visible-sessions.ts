import type { Engine, FeedEvent, Session } from "@muster/engine";
import { type Grant, isLimited } from "@muster/http";
import {
  type CreateSession,
  Failure,
  type ForkedSessions,
  type ForkSession,
  type HandedOver,
  type HandOver,
  type Query,
  type Session as SessionView,
} from "@muster/schema/wire";

/** The sessions that whoever asks may see. What is outside of a grant is told exactly as what does not exist. */
export class VisibleSessions {
  readonly #engine: Engine;
  readonly #grant: Grant;

  constructor(engine: Engine, grant: Grant) {
    this.#engine = engine;
    this.#grant = grant;
  }

  async get(sessionId: string): Promise<Session> {
    await this.#mustSee(sessionId);
    return this.#engine.sessions.get(sessionId);
  }

  async view(sessionId: string): Promise<SessionView> {
    await this.#mustSee(sessionId);
    return this.#engine.sessions.view(sessionId);
  }

  async list(query: Query<"sessions.list">) {
    if (!isLimited(this.#grant)) return this.#engine.sessions.list(query);
    const { after } = query;
    if (after !== undefined && !(await this.#sees(after))) {
      throw new Failure("invalid_request", `There is no session ${after} to list after`, { after });
    }
    return this.#engine.sessions.list(query, ({ sessionId, agent }) => this.#allows(sessionId, agent));
  }

  /** Whether a session may be made is decided without a look at those that exist. */
  async create(sessionId: string, body: CreateSession, options: Query<"sessions.create">) {
    if (this.#allows(sessionId, body.agent)) return this.#engine.sessions.create(sessionId, body, options);
    const { sessions, agents } = this.#grant;
    const [what, names] = agents?.has(body.agent) === false ? ["agents", agents] : ["sessions", sessions];
    throw new Failure("token_limited", `This token is for the ${what} ${[...(names ?? [])].join(", ")}`);
  }

  /** Forks are sessions of their own: who may not make those may not have them. */
  async fork(sessionId: string, body: ForkSession): Promise<ForkedSessions> {
    await this.#mustSee(sessionId);
    const mayMake = (made: string, agent: string) => {
      if (this.#allows(made, agent)) return;
      throw new Failure("token_limited", "This token is for other sessions or agents");
    };
    return { sessions: await this.#engine.sessions.fork(sessionId, body, mayMake) };
  }

  async handOver(sessionId: string, body: HandOver): Promise<HandedOver> {
    await this.#mustSee(sessionId);
    if (!this.#allows(sessionId, body.agent)) {
      throw new Failure("token_limited", `This token is not for the agent ${body.agent}`);
    }
    return this.#engine.sessions.handOver(sessionId, body);
  }

  async delete(sessionId: string): Promise<void> {
    await this.#mustSee(sessionId);
    await this.#engine.sessions.delete(sessionId);
  }

  /** State changes and requests of these sessions, from now on, until the returned function is called. */
  watch(listener: (event: FeedEvent) => void): () => void {
    const { feed, sessions } = this.#engine;
    if (!isLimited(this.#grant)) return feed.subscribe(listener);
    return feed.subscribe((event) => {
      if (this.#allows(event.sessionId, sessions.agentOf(event.sessionId))) listener(event);
    });
  }

  /** Nothing to wait for where nothing is limited: every request comes this way, and nearly all with such a grant. */
  #mustSee(sessionId: string): Promise<void> | undefined {
    return isLimited(this.#grant) ? this.#mustBeSeen(sessionId) : undefined;
  }

  async #mustBeSeen(sessionId: string): Promise<void> {
    if (await this.#sees(sessionId)) return;
    throw new Failure("session_not_found", `There is no session ${sessionId}`, { sessionId });
  }

  async #sees(sessionId: string): Promise<boolean> {
    const { sessions, agents } = this.#grant;
    if (sessions?.has(sessionId) === false) return false;
    if (agents === undefined) return true;
    // Whose a session was that is gone or cannot be read is not known, so it is nobody's.
    const agent = await this.#engine.sessions.view(sessionId).then(
      (view) => view.agent,
      () => undefined,
    );
    return agent !== undefined && agents.has(agent);
  }

  #allows(sessionId: string, agent: string | undefined): boolean {
    const { sessions, agents } = this.#grant;
    if (sessions?.has(sessionId) === false) return false;
    return agents === undefined || (agent !== undefined && agents.has(agent));
  }
}
