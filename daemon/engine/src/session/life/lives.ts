import { type Adapter, type AgentSession, AgentStartFailure } from "@muster/adapters";
import { type AgentError, type Body, type Cause, Failure, type UpdateSession } from "@muster/schema/wire";
import type { SignalReception } from "../intake/signal-reception.ts";
import { AgentLife, type CurrentLife } from "../state/agent-life.ts";
import { isMetered } from "../state/budget.ts";
import { definedFields } from "../state/defined-fields.ts";
import type { Journal } from "../state/journal.ts";
import type { RecoveryState } from "../state/recovery-state.ts";
import type { RequestJournal } from "../state/request-journal.ts";
import type { SessionSettings } from "../state/session-settings.ts";
import type { TurnResult, Turns } from "../turn/turns.ts";
import type { Admission } from "./admission.ts";
import type { AgentOpener } from "./agent-opener.ts";
import type { OngoingWork } from "./ongoing-work.ts";

export interface LivesParts {
  adapter: Pick<Adapter, "live" | "keepsBudget">;
  opener: AgentOpener;
  reception: Pick<SignalReception, "take">;
  current: CurrentLife;
  settings: Pick<SessionSettings, "limits" | "redactor">;
  journal: Journal;
  turns: Pick<Turns, "setStopCause" | "endLife">;
  admission: Pick<Admission, "isClosed" | "check">;
  recoveryState: Pick<RecoveryState, "settle" | "unsettle">;
  work: Pick<OngoingWork, "background">;
  requestJournal: Pick<RequestJournal, "end">;
}

interface Ending {
  graceMs: number;
  /** How the open turn ends, if there is one. */
  turn: TurnResult;
  body: Body<"session.ended" | "session.updated">;
}

/** How long an agent may take to end: asked politely, and when it has to be now. */
const closeMs = 3_000;
const killMs = 300;
const asleep: Body<"session.updated"> = { type: "session.updated", data: { agentState: "asleep" } };

/** The lives of a session's agent, one after the other: started, woken, put to sleep, replaced, ended. */
export class Lives {
  readonly #parts: LivesParts;
  readonly #current: CurrentLife;
  #opening: { life: Promise<AgentLife>; abort: AbortController } | undefined;
  /** The end of the last life, down to its last process and its last write; the next life waits for it. */
  #ending: Promise<void> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;
  /** New settings that the running agent cannot take over wait for the end of its turn. */
  #isOutdated = false;

  constructor(parts: LivesParts) {
    this.#parts = parts;
    this.#current = parts.current;
  }

  /** Why the agent did not start the last time. */
  get error(): AgentError | undefined {
    return this.#parts.opener.error;
  }

  /** The agent is not started, for a reason known beforehand; the next message tries it all the same. */
  async refuse({ type, message, details }: AgentError): Promise<void> {
    await this.#parts.opener.fail(new AgentStartFailure(type, message, details));
  }

  /** The agent, started if it does not run. Throws `agent_unhealthy`. */
  async wake(): Promise<AgentLife> {
    const { life } = this.#current;
    if (life && !life.isClosing) return life;
    if (!this.#opening) {
      const abort = new AbortController();
      this.#current.isOpening = true;
      const opened = this.#open(abort.signal).finally(() => {
        this.#opening = undefined;
        this.#current.isOpening = false;
      });
      this.#opening = { life: opened, abort };
    }
    return this.#opening.life;
  }

  /** Brings changed settings to the running agent: at once where it takes them over, the rest with its next life. */
  update({ model, agentMode, variant, permissionMode, token, env, mcp, limits }: UpdateSession): void {
    if (!this.#current.isAlive) return;
    const fields = definedFields({ model, agentMode, variant, permissionMode });
    const names = Object.keys(fields) as (keyof typeof fields)[];
    // Behind the gateway an agent knows of no budget.
    const keepsBudget = this.#parts.adapter.keepsBudget === true && !isMetered(this.#parts.journal.state);
    const isNewBudget = keepsBudget && limits?.budgetUsd !== undefined;
    if (
      token === undefined &&
      !env &&
      !mcp &&
      !isNewBudget &&
      names.every((name) => this.#parts.adapter.live.has(name))
    ) {
      if (names.length > 0) this.#current.tell({ type: "update", ...fields });
      return;
    }
    this.#isOutdated = true;
    this.#parts.work.background("apply new settings", this.renew());
  }

  /** Lets an agent go that runs with old settings, unless a turn is open. */
  async renew(): Promise<void> {
    if (!this.#isOutdated || this.#parts.journal.state.turn) return;
    this.#isOutdated = false;
    await this.sleep();
  }

  /** Ends the life because a client wants it so. */
  async terminate(): Promise<void> {
    this.#parts.turns.setStopCause("terminated");
    await this.#end({
      graceMs: closeMs,
      turn: { status: "interrupted", cause: "terminated" },
      body: { type: "session.ended", data: { reason: "terminated", terminatedBy: "client" } },
    });
  }

  /** Ends the life because the daemon stops. */
  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    if (!this.#current.life && !this.#opening) return this.#ending;
    this.#parts.turns.setStopCause("daemon_stopped");
    const turn = { status: "interrupted", cause: "daemon_stopped" } as const;
    await this.#end({ graceMs: killMs, turn, body: asleep });
  }

  /** Ends the life without a word: the log is going away or cannot be written. */
  async kill(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.abortOpening();
    // A life that cannot be closed is left to the next start of the daemon, which kills by its marker.
    await this.#current.life?.close(0).catch(() => undefined);
    this.#current.life = undefined;
    await this.#ending;
  }

  /** Gives up a life that is being opened; resolves when nothing of it is left running. */
  async abortOpening(): Promise<void> {
    const opening = this.#opening;
    opening?.abort.abort();
    // Why it failed was told to those who waited for it.
    await opening?.life.catch(() => undefined);
  }

  /** Ends a life that does not do what it should; the next message starts another one. */
  async replace(cause: Cause, status: "failed" | "interrupted", message?: string): Promise<void> {
    this.#parts.turns.setStopCause(cause, message);
    await this.#end({ graceMs: killMs, turn: { status, cause }, body: asleep });
  }

  /** Lets an idle agent go; the next message wakes it. */
  async sleep(): Promise<void> {
    if (!this.#current.life) return;
    const turn = { status: "interrupted", cause: "daemon_stopped" } as const;
    await this.#end({ graceMs: closeMs, turn, body: asleep });
  }

  /** Counts idle time from now. */
  rest(): void {
    clearTimeout(this.#idleTimer);
    const { settings, admission, work } = this.#parts;
    if (!this.#current.life || admission.isClosed) return;
    const doze = () => work.background("put the agent to sleep", this.#fallAsleep());
    this.#idleTimer = setTimeout(doze, settings.limits.agentIdleMs).unref();
  }

  async #fallAsleep(): Promise<void> {
    const { turn, queue, items, questions, permissions } = this.#parts.journal.state;
    const open = items.size + questions.size + permissions.size + queue.size;
    if (open === 0 && !turn) await this.sleep();
    else this.rest();
  }

  async #open(signal: AbortSignal): Promise<AgentLife> {
    const { opener, journal, admission, recoveryState, work } = this.#parts;
    await this.#ending;
    admission.check();
    await recoveryState.unsettle();
    const agent = await opener.open(signal);
    const life = new AgentLife(agent);
    life.over = this.#read(life);
    this.#current.life = life;
    work.background("read the agent", this.#watch(life));
    // That it runs need not be on the disk: what a restart has to know is in the active file.
    journal.flush();
    this.rest();
    return life;
  }

  /** Takes everything a life says. */
  async #read(life: AgentLife): Promise<void> {
    for await (const outputs of life.agent.events) {
      const paused = this.#parts.reception.take(outputs, life);
      if (paused) await paused;
    }
  }

  /** Waits for the end of a life; one that nobody asked for is told. */
  async #watch(life: AgentLife): Promise<void> {
    try {
      await life.over;
    } catch (error) {
      // A failing disk has stopped the session by then; everything else is a fault of ours.
      if (!(error instanceof Failure)) throw error;
    } finally {
      if (!life.isClosing && this.#current.life === life) await this.#closeEnded(life);
    }
  }

  /** Tells of an end that nobody asked for. */
  async #closeEnded(life: AgentLife): Promise<void> {
    this.#current.life = undefined;
    const ended = this.#tellEnded(life);
    // The failure is that of `#watch`; the next life only waits.
    this.#ending = ended.catch(() => undefined);
    await ended;
  }

  async #tellEnded(life: AgentLife): Promise<void> {
    const { journal, turns, settings, requestJournal } = this.#parts;
    await requestJournal.end();
    const { exitCode = null, signal = null, stderr } = life.exited ?? {};
    const { turn } = journal.state;
    const message = `The agent ended ${signal === null ? `with code ${exitCode}` : `by ${signal}`}`;
    const result = { status: turn?.alive ? "failed" : "uncertain", cause: "agent_exited", message } as const;
    turns.endLife(result, "failed", "The agent has ended");
    const data = {
      reason: exitCode === 0 && !turn ? "completed" : "error",
      terminatedBy: "agent",
      exitCode: exitCode ?? undefined,
      signal: signal ?? undefined,
      stderr,
      metadata: life.agent.metadata,
    } as const;
    journal.emit("daemon", settings.redactor.body({ type: "session.ended", data }), null);
    journal.flush();
    await this.#settleEnded(life);
  }

  /** Ends what an ended life left behind, and stores the state. */
  async #settleEnded(life: AgentLife): Promise<void> {
    const { journal, recoveryState } = this.#parts;
    // Its children may have outlived it; those that survive even this are killed at the next start, by their marker.
    await life.close(0).catch(() => undefined);
    await journal.sync();
    await recoveryState.settle();
  }

  /** Ends of lives follow one another; a life that is being opened is given up. */
  #end({ graceMs, turn, body }: Ending): Promise<void> {
    const { journal, turns, recoveryState, requestJournal } = this.#parts;
    const opening = this.#opening && this.abortOpening();
    const end = async () => {
      await opening;
      const { life } = this.#current;
      await life?.close(graceMs);
      await requestJournal.end();
      if (this.#current.life === life) this.#current.life = undefined;
      turns.endLife(turn, "cancelled", "The agent was stopped");
      // Two ends at once, or the end of a life that never began: there is nothing left to say.
      if (journal.state.life === "open") journal.emit("daemon", withMetadata(body, life?.agent.metadata), null);
      await journal.sync();
      await recoveryState.settle();
    };
    // An opening life waits for the end before it, so that end must not wait for this opening.
    const ended = opening ? end() : this.#ending.then(end);
    // The failure belongs to the caller; the next life only waits.
    this.#ending = ended.catch(() => undefined);
    return ended;
  }
}

/** What the agent told of itself belongs to the end of the session. */
function withMetadata(body: Ending["body"], metadata: AgentSession["metadata"]): Ending["body"] {
  return body.type === "session.ended" ? { ...body, data: { ...body.data, metadata } } : body;
}
