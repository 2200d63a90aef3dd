import { type AgentSession, AgentStartFailure, type Command } from "@muster/adapters";
import { type AgentError, type Body, type Cause, Failure } from "@muster/schema";
import type { SessionContext } from "./context.ts";
import { given } from "./given.ts";
import { Life } from "./life.ts";
import type { Reception } from "./reception.ts";
import type { TurnResult } from "./turns.ts";

interface Ending {
  graceMs: number;
  /** How the open turn ends, if there is one. */
  turn: TurnResult;
  say: Body<"session.ended" | "session.updated">;
}

const fellAsleep: Body<"session.updated"> = { type: "session.updated", data: { agentState: "asleep" } };

/** The lives of a session's agent, one after the other: started, woken, put to sleep, replaced, ended. */
export class Lives {
  readonly #session: SessionContext;
  readonly #reception: Reception;
  /** Called when a new life may take the next message. */
  readonly #freed: () => void;
  #life: Life | undefined;
  #opening: Promise<Life> | undefined;
  /** The end of the last life, down to its last process; the next one waits for it. */
  #ending: Promise<void> = Promise.resolve();
  #error: AgentError | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(session: SessionContext, reception: Reception, freed: () => void) {
    this.#session = session;
    this.#reception = reception;
    this.#freed = freed;
  }

  get isOpening(): boolean {
    return this.#opening !== undefined;
  }

  get isAlive(): boolean {
    return this.#life !== undefined && !this.#life.isClosing;
  }

  /** Why the agent did not start the last time. */
  get error(): AgentError | undefined {
    return this.#error;
  }

  /** The agent is not started, for a reason known beforehand; the next message tries it all the same. */
  async refuse(error: AgentError): Promise<void> {
    await this.#startFailed(new AgentStartFailure(error.type, error.message, error.details));
  }

  /** The agent, started if it does not run. Throws `agent_unhealthy`. */
  async wake(): Promise<Life> {
    if (this.#life && !this.#life.isClosing) return this.#life;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Sends a command to the agent, if one lives. */
  tell(command: Command): void {
    if (this.#life) this.#session.background("tell the agent", this.#life.send(command));
  }

  /** Ends the life because a client wants it so. */
  async terminate(): Promise<void> {
    const { turns, services } = this.#session;
    turns.stopping("terminated");
    await this.#end({
      graceMs: services.patience.closeMs,
      turn: { status: "interrupted", cause: "terminated" },
      say: { type: "session.ended", data: { reason: "terminated", terminatedBy: "client" } },
    });
  }

  /** Ends the life because the daemon stops. */
  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    if (!this.#life && !this.#opening) return this.#ending;
    const { turns, services } = this.#session;
    turns.stopping("daemon_stopped");
    const turn = { status: "interrupted", cause: "daemon_stopped" } as const;
    await this.#end({ graceMs: services.patience.killMs, turn, say: fellAsleep });
  }

  /** Ends the life without a word: the log is going away or cannot be written. */
  async kill(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#opening?.catch(() => undefined);
    await this.#life?.close(0).catch(() => undefined);
    this.#life = undefined;
    await this.#ending;
  }

  /** Ends a life that does not do what it should; the next message starts another one. */
  async replace(cause: Cause, status: "failed" | "interrupted"): Promise<void> {
    const { services, turns } = this.#session;
    turns.stopping(cause);
    await this.#end({ graceMs: services.patience.killMs, turn: { status, cause }, say: fellAsleep });
    this.#freed();
  }

  /** Lets an idle agent go; the next message wakes it. */
  async sleep(): Promise<void> {
    if (!this.#life) return;
    const { closeMs } = this.#session.services.patience;
    const turn = { status: "interrupted", cause: "daemon_stopped" } as const;
    await this.#end({ graceMs: closeMs, turn, say: fellAsleep });
    this.#freed();
  }

  /** Counts idle time from now. */
  rest(): void {
    clearTimeout(this.#idleTimer);
    if (!this.#life || this.#session.isClosed()) return;
    const { journal, requests, settings, background } = this.#session;
    const doze = async () => {
      const { turn, queue, items } = journal.state;
      const isBusy = turn || queue.length > 0 || requests.count > 0 || Object.keys(items).length > 0;
      if (isBusy) this.rest();
      else await this.sleep();
    };
    const timer = setTimeout(() => background("put the agent to sleep", doze()), settings.limits.agentIdleMs);
    this.#idleTimer = timer.unref();
  }

  async #open(): Promise<Life> {
    const { active, journal, adapter, services, settings, background } = this.#session;
    await this.#ending;
    this.#session.mustBeOpen();
    await active.mark();
    if (journal.state.life === "open") this.#say({ agentState: "starting" });
    journal.flush();
    let agent: AgentSession;
    try {
      agent = await adapter.open(services.host, settings.openOptions(journal.state));
    } catch (error) {
      throw await this.#startFailed(error);
    }
    this.#error = undefined;
    this.#announce(agent);
    const life: Life = new Life(agent, (outputs) => this.#reception.take(outputs, life));
    this.#life = life;
    background("read the agent", this.#watch(life));
    await journal.sync();
    this.rest();
    return life;
  }

  #announce({ agentVersion, nativeSessionId, model, contextLost }: AgentSession): void {
    const { journal, settings } = this.#session;
    const { state } = journal;
    const known = given({ agentVersion, nativeSessionId, model, contextLost });
    if (state.life === "open") return this.#say({ ...known, agentState: "ready" });
    const { directory, permissionMode, ...asked } = settings.openOptions(state);
    const data = {
      agent: settings.stored.agent,
      ...given({ model: asked.model, agentMode: asked.agentMode, variant: asked.variant }),
      ...known,
      permissionMode,
      directory,
      resumed: state.life !== "none",
    };
    journal.emit("daemon", { type: "session.started", data }, null);
  }

  async #startFailed(error: unknown): Promise<Failure> {
    const { journal, settings, sessionId } = this.#session;
    const { type, message, details } = error instanceof AgentStartFailure ? error : unexpected(error);
    this.#error = settings.redactor.value({ type, message, ...given({ details }) });
    if (!this.#session.isClosed()) {
      const code = type === "token_error" ? "auth_failed" : "spawn_failed";
      journal.emit("daemon", { type: "error", data: { code, message: this.#error.message, retryable: true } }, null);
      if (journal.state.agentState === "starting") this.#say({ agentState: "asleep" });
      await journal.sync();
    }
    return new Failure("agent_unhealthy", this.#error.message, { sessionId, error: this.#error });
  }

  /** Reads a life to its end; an end that nobody asked for is told. */
  async #watch(life: Life): Promise<void> {
    try {
      await life.over;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    } finally {
      if (!life.isClosing && this.#life === life) await this.#died(life);
    }
  }

  async #died(life: Life): Promise<void> {
    this.#life = undefined;
    const { journal, turns, items, requests, settings } = this.#session;
    const { exitCode = null, signal = null, stderr } = life.exited ?? {};
    const { turn } = journal.state;
    const message = `The agent ended ${signal === null ? `with code ${exitCode}` : `by ${signal}`}`;
    turns.end({ status: turn?.alive ? "failed" : "uncertain", cause: "agent_exited", message });
    requests.cancelAll("daemon", "The agent has ended");
    items.closeAll("failed");
    const data = {
      reason: exitCode === 0 && !turn ? "completed" : "error",
      terminatedBy: "agent",
      ...given({ exitCode: exitCode ?? undefined, signal: signal ?? undefined, stderr }),
    } as const;
    journal.emit("daemon", settings.redactor.body({ type: "session.ended", data }), null);
    journal.flush();
    // Its children may have outlived it.
    this.#ending = life.close(0).catch(() => undefined);
    await this.#ending;
    await this.#session.settle();
    this.#freed();
  }

  /** Ends of lives follow one another, and a life that is being opened is ended once it is open. */
  #end({ graceMs, turn, say }: Ending): Promise<void> {
    const { journal, turns, items, requests } = this.#session;
    const opening = this.#opening;
    const end = async () => {
      await opening?.catch(() => undefined);
      const life = this.#life;
      await life?.close(graceMs);
      if (this.#life === life) this.#life = undefined;
      turns.end(turn);
      requests.cancelAll("daemon", "The agent was stopped");
      items.closeAll("cancelled");
      // Two ends at once, or the end of a life that never began: there is nothing left to say.
      if (journal.state.life === "open") journal.emit("daemon", say, null);
      await journal.sync();
      await this.#session.settle();
    };
    // An opening life waits for the end before it, so that end must not wait for this opening.
    const ended = opening ? end() : this.#ending.then(end);
    this.#ending = ended.catch(() => undefined);
    return ended;
  }

  #say(data: Body<"session.updated">["data"]): void {
    this.#session.journal.emit("daemon", { type: "session.updated", data }, null);
  }
}

function unexpected(error: unknown): AgentStartFailure {
  if (error instanceof Failure && error.code === "install_failed") {
    return new AgentStartFailure("install_failed", error.message, error.fields);
  }
  return new AgentStartFailure("spawn_failed", error instanceof Error ? error.message : String(error));
}
