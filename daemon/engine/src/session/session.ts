import type { Adapter } from "@muster/adapters";
import {
  type AgentError,
  Failure,
  type InterruptSession,
  type SendMessage,
  type SentMessage,
  type Session as SessionView,
  type UpdateSession,
} from "@muster/schema";
import { EventLog, RawLog } from "../event-log/index.ts";
import { ActiveFile } from "../store/active-file.ts";
import type { SessionFile } from "../store/session-file.ts";
import type { SessionContext } from "./context.ts";
import { Deliveries } from "./deliveries.ts";
import { emptyFold, type Fold, fold } from "./fold.ts";
import { given } from "./given.ts";
import { Journal } from "./journal.ts";
import { Lives } from "./lives.ts";
import { OpenItems } from "./open-items.ts";
import { Reception } from "./reception.ts";
import { recover } from "./recovery.ts";
import { Requests } from "./requests.ts";
import type { Secrets } from "./secrets.ts";
import type { SessionServices } from "./services.ts";
import { SessionSettings } from "./settings.ts";
import { Turns } from "./turns.ts";
import { viewSession } from "./view.ts";

/** Events after the last checkpoint that make a new one worth writing. */
const checkpointEvery = 20_000;

interface OpenSession {
  log: EventLog;
  raw: RawLog | undefined;
  state: Fold;
  secrets?: Secrets;
  wasActive?: boolean;
}

/** One conversation with one agent in one directory: its log, its turns, and the lives of its agent. */
export class Session {
  readonly sessionId: string;
  readonly log: EventLog;
  readonly raw: RawLog | undefined;
  readonly requests: Requests;
  readonly #context: SessionContext;
  readonly #lives: Lives;
  readonly #deliveries: Deliveries;
  /** New settings that the running agent cannot take over wait for the end of its turn. */
  #needsNewLife = false;
  #checkpointed: number;
  #isClosed = false;

  static async open(
    services: SessionServices,
    adapter: Adapter,
    file: SessionFile,
    options: { secrets?: Secrets; wasActive?: boolean } = {},
  ): Promise<Session> {
    const { durability, groupSync, layout, keepRaw } = services;
    const directory = layout.session(file.sessionId);
    const log = await EventLog.open({ directory, sessionId: file.sessionId, durability, groupSync });
    try {
      const state = await restore(log, file);
      const raw = keepRaw ? await RawLog.open({ directory }) : undefined;
      return new Session(services, adapter, file, { log, raw, state, ...options });
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  private constructor(services: SessionServices, adapter: Adapter, file: SessionFile, open: OpenSession) {
    const { sessionId } = file;
    this.sessionId = sessionId;
    this.log = open.log;
    this.raw = open.raw;
    this.#checkpointed = file.checkpoint?.sequence ?? 0;
    const settings = new SessionSettings({
      path: services.layout.sessionFile(sessionId),
      adapter,
      file,
      secrets: open.secrets,
      environmentSecrets: services.environmentSecrets,
    });
    const journal = new Journal(open.log, open.state, (drafts, appended) => {
      this.#deliveries.tellWaiters();
      services.appended(this, drafts, appended);
    });
    const items = new OpenItems(journal);
    const requests = new Requests({
      journal,
      tell: (command) => this.#lives.tell(command),
      permissionMode: () => settings.permissionMode(journal.state),
      requestMs: () => settings.limits.requestMs,
      changed: (pending) => turns.askingPeople(pending),
    });
    const turns: Turns = new Turns({
      journal,
      items,
      requests,
      tracer: services.tracer,
      describe: () => ({ sessionId, agent: adapter.id, model: journal.state.settings.model }),
      limits: () => settings.limits,
      expired: (cause) => this.#context.background("end a silent turn", this.#lives.replace(cause, "failed")),
      ended: () => this.#turnEnded(),
    });
    this.requests = requests;
    this.#context = {
      sessionId,
      adapter,
      services,
      settings,
      journal,
      items,
      requests,
      turns,
      active: new ActiveFile(services.layout.activeFile(sessionId), sessionId, open.wasActive ?? false),
      isClosed: () => this.#isClosed,
      mustBeOpen: () => this.#mustBeOpen(),
      settle: () => this.#settle(),
      background: (what, work) => this.#background(what, work),
    };
    const reception = new Reception(this.#context, open.raw, () => this.#deliveries);
    this.#lives = new Lives(this.#context, reception, () => this.#deliveries.drive());
    this.#deliveries = new Deliveries(this.#context, this.#lives);
    open.log.onFailure = (failure) => this.#background("stop what cannot be written", this.#storageFailed(failure));
  }

  view(): SessionView {
    const { settings, journal } = this.#context;
    return viewSession(settings.file, journal.state, {
      opening: this.#lives.isOpening,
      alive: this.#lives.isAlive,
      error: this.#lives.error,
      missingSecrets: settings.missingSecrets,
    });
  }

  /** Nothing is going on and nothing would be lost: the session can be dropped from memory and read again from disk. */
  get isCold(): boolean {
    const { journal, settings } = this.#context;
    const { turn, queue } = journal.state;
    const isAtWork = this.#lives.isAlive || this.#lives.isOpening || this.#deliveries.isDriving;
    return !isAtWork && !turn && queue.length === 0 && !settings.hasSecrets && this.#lives.error === undefined;
  }

  /** Starts the agent. A failure is not thrown: it is told by `view()` and tried again at the next message. */
  async start(): Promise<void> {
    try {
      await this.#lives.wake();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await this.#settle();
    }
  }

  /** Leaves the agent unstarted and says why. */
  async refuse(error: AgentError): Promise<void> {
    await this.#lives.refuse(error);
    await this.#settle();
  }

  /** Closes what a dead daemon left open. Messages that were never given stay queued until `resumeQueue`. */
  async recover(): Promise<void> {
    recover(this.#context);
    await this.#context.journal.sync();
    await this.#settle();
  }

  resumeQueue(): void {
    this.#deliveries.drive();
  }

  send(message: SendMessage): Promise<SentMessage> {
    return this.#deliveries.accept(message);
  }

  messageEnd(messageId: string): Promise<number> {
    return this.#deliveries.end(messageId);
  }

  cancelMessage(messageId: string): Promise<void> {
    return this.#deliveries.cancel(messageId);
  }

  /** Ends the open turn. Resolves when it has ended; an agent that does not obey is replaced. */
  async interrupt({ queue = "keep" }: InterruptSession): Promise<void> {
    const { journal, turns, requests, services } = this.#context;
    if (queue === "cancel") this.#deliveries.cancelQueue();
    const { turn } = journal.state;
    if (!turn) return journal.sync();
    turns.stopping("interrupted_by_user");
    requests.cancelAll("user", "Interrupted by the user");
    if (this.#deliveries.isGiving(turn.turnId)) turns.end({ status: "interrupted" });
    else this.#lives.tell({ type: "interrupt" });
    await journal.sync();
    await turns.quiet(services.patience.interruptMs);
    if (journal.state.turn?.turnId === turn.turnId) await this.#lives.replace("agent_unresponsive", "interrupted");
    await journal.sync();
  }

  /** Ends the agent's life and cancels the queue. A later message starts a new life. */
  async terminate(): Promise<void> {
    const { journal } = this.#context;
    this.#deliveries.cancelQueue();
    const hasLife = journal.state.life === "open" || this.#lives.isOpening || this.#lives.isAlive;
    if (hasLife) await this.#lives.terminate();
    else await journal.sync();
  }

  /** Changes settings. What a running agent takes over changes at once, the rest with its next life. */
  async update(change: UpdateSession): Promise<void> {
    const { settings, journal } = this.#context;
    this.#mustBeOpen();
    const fields = await settings.update(change);
    if (Object.keys(fields).length > 0) {
      journal.emit("daemon", { type: "session.updated", data: fields }, null);
      await journal.sync();
    }
    this.#tellAgent(change);
    this.#deliveries.drive();
  }

  /** Ends everything for a stop of the daemon: the turn, the agent, the log. Queued messages stay queued. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lives.stop();
    await this.#release();
    await this.log.close();
  }

  /** Kills the agent and removes the log; what was pending is gone with it. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    await this.#lives.kill();
    await this.#context.active.clear();
    await this.#release();
    await this.log.destroy();
  }

  #turnEnded(): void {
    this.#deliveries.turnEnded();
    this.#background("go on after a turn", this.#goOn());
  }

  async #goOn(): Promise<void> {
    const { journal } = this.#context;
    await journal.sync();
    if (this.#needsNewLife && !journal.state.turn) await this.#takeNewLife();
    if (journal.state.sequence - this.#checkpointed > checkpointEvery) await this.#checkpoint();
    this.#lives.rest();
    this.#deliveries.drive();
  }

  #tellAgent({ model, agentMode, variant, permissionMode, token, env, mcp }: UpdateSession): void {
    const { adapter, journal } = this.#context;
    if (!this.#lives.isAlive) return;
    const fields = given({ model, agentMode, variant, permissionMode });
    const names = Object.keys(fields) as (keyof typeof fields)[];
    if (token === undefined && !env && !mcp && names.every((name) => adapter.live.has(name))) {
      if (names.length > 0) this.#lives.tell({ type: "update", ...fields });
      return;
    }
    this.#needsNewLife = true;
    if (!journal.state.turn) this.#background("apply new settings", this.#takeNewLife());
  }

  async #takeNewLife(): Promise<void> {
    this.#needsNewLife = false;
    await this.#lives.sleep();
  }

  async #settle(): Promise<void> {
    const isUnsettled = () =>
      this.#lives.isAlive || this.#lives.isOpening || this.#context.journal.state.queue.length > 0;
    if (isUnsettled()) return;
    await this.#checkpoint();
    if (!isUnsettled()) await this.#context.active.clear();
  }

  async #checkpoint(): Promise<void> {
    const { settings, journal } = this.#context;
    this.#checkpointed = journal.state.sequence;
    await settings.checkpoint(journal.state);
  }

  async #storageFailed(failure: Failure): Promise<void> {
    const { sessionId } = this;
    this.#context.services.log("error", "the event log cannot be written", { sessionId, error: failure.message });
    this.#isClosed = true;
    this.#context.turns.stopClock();
    await this.#lives.kill();
  }

  async #release(): Promise<void> {
    this.#context.turns.stopClock();
    await this.raw?.close();
  }

  #mustBeOpen(): void {
    const { sessionId } = this;
    if (this.log.failed) throw new Failure("storage_full", "The event log cannot be written", { sessionId });
    if (this.#isClosed) throw new Failure("shutting_down", "The session is being closed", { sessionId });
  }

  #background(what: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (error instanceof Failure) return;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#context.services.log("error", `could not ${what}`, { sessionId: this.sessionId, error: text });
    });
  }
}

/** The state at the end of the log: the checkpoint, if the log still reaches it, and the events after it. */
async function restore(log: EventLog, { checkpoint, createdAt }: SessionFile): Promise<Fold> {
  const isUsable = checkpoint !== undefined && checkpoint.sequence <= log.lastSequence;
  const state = isUsable ? structuredClone(checkpoint) : emptyFold(createdAt);
  for await (const { sequence, time, source, turnId, ...body } of log.events(state.sequence)) {
    fold(state, { sequence, time, source, turnId, body });
  }
  return state;
}
