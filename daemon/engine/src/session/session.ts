import type { Adapter } from "@muster/adapters";
import type { Damage, Recovery } from "@muster/log";
import {
  type AgentError,
  Failure,
  type InterruptSession,
  type Rewind,
  type Rewound,
  type SendMessage,
  type SentMessage,
  type SessionChanges,
  type Session as SessionView,
  type UndoRewind,
  type UpdateSession,
  type UsageReport,
} from "@muster/schema/wire";
import { type Checkpoint, checkpointOf, foldOf, knowsTurns } from "../checkpoint.ts";
import { EventLog, RawLog } from "../event-log/index.ts";
import { emptyFold, type Fold, fold } from "../fold.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { SessionFile } from "../store/session-file.ts";
import type { ModelCall, ModelCallEnd, TraceContext } from "../tracing.ts";
import { usageReport } from "../wire-account.ts";
import { connectParts, type SessionParts } from "./connect-parts.ts";
import { type CarriedHistory, historyOfLog } from "./hand-over/history-of-log.ts";
import type { ModelRequests } from "./model-requests.ts";
import { react } from "./reactions.ts";
import { type CutShort, recover } from "./recovery.ts";
import type { SessionServices } from "./session-services.ts";
import { viewSession } from "./state/session-view.ts";
import { beginAnew } from "./time-machine/begin-anew.ts";
import { cutAfter } from "./time-machine/fork-places.ts";
import { endOfTurn, lastTurnOver, mustBeOver, type PreparedFork } from "./time-machine/prepare-fork.ts";
import type { Requests } from "./turn/requests.ts";

/** How long an agent may take to obey an interrupt. */
const interruptMs = 5_000;

/** One conversation with one agent in one directory: its log, its turns, and the lives of its agent. */
export class Session {
  readonly sessionId: string;
  readonly log: EventLog;
  readonly raw: RawLog | undefined;
  readonly requests: Requests;
  /** What the gateway asks of this session and tells it. */
  readonly modelRequests: ModelRequests;
  readonly #parts: SessionParts;
  /** The end of everything that cannot be written any more. */
  #stopping: Promise<void> = Promise.resolve();
  #isDestroyed = false;

  static async open(
    services: SessionServices,
    adapter: Adapter,
    file: SessionFile,
    { log: known, ...options }: { secrets?: Secrets; wasActive?: boolean; isHeld?: boolean; log?: EventLog } = {},
  ): Promise<Session> {
    const { durability, groupSync, fence, framing, page, layout, keepRaw } = services;
    const directory = layout.session(file.sessionId);
    const lastKnown = file.checkpoint?.sequence;
    const { sessionId } = file;
    const reportDamage = (damage: Damage) =>
      services.log("error", "part of an event log is damaged", { sessionId, directory, ...damage });
    const kept = { directory, durability, groupSync, fence, lastKnown, framing, page };
    const log = known ?? (await EventLog.open({ sessionId, ancestors: file.ancestors, ...kept, reportDamage }));
    try {
      if (log.recovery) services.log("warn", "the end of an event log was cut off", lossOf(log, log.recovery));
      const state = await restore(log, file);
      const raw = keepRaw ? await RawLog.open({ directory }) : undefined;
      return new Session(connectParts({ services, adapter, file, log, raw, state, ...options }));
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  private constructor(parts: SessionParts) {
    this.sessionId = parts.settings.file.sessionId;
    this.log = parts.journal.log;
    this.raw = parts.raw;
    this.requests = parts.requests;
    this.modelRequests = parts.modelRequests;
    this.#parts = parts;
    parts.journal.onFolded = (body) => react(body, parts);
    void this.log.whenFailed.then((failure) => {
      if (this.#isDestroyed) return;
      this.#stopping = this.#stopUnwritable(failure);
      parts.work.background("stop what cannot be written", this.#stopping);
    });
  }

  /** In memory only: for opening the session anew in the same daemon. */
  get secrets(): Secrets {
    return this.#parts.settings.secrets;
  }

  view(): SessionView {
    const { settings, journal, current, lives } = this.#parts;
    return viewSession(settings.file, journal.state, {
      opening: current.isOpening,
      alive: current.isAlive,
      error: lives.error,
      missingSecrets: settings.missingSecrets,
    });
  }

  /** What its model requests cost, by model, turn and sub-agent. */
  usage(): UsageReport {
    return usageReport(this.#parts.journal.state.wire);
  }

  /** The content of a file that came with a message. */
  attachment(name: string): Promise<Buffer> {
    return this.#parts.deliveries.attachment(name);
  }

  /** The turn that is open, and the sequence it began with. */
  get openTurn(): { turnId: string; sequence: number } | undefined {
    const { turn } = this.#parts.journal.state;
    return turn?.sequence === undefined ? undefined : { turnId: turn.turnId, sequence: turn.sequence };
  }

  /** The agent has never run and was never given anything to do. */
  get isUnstarted(): boolean {
    const { journal, current } = this.#parts;
    const { life, turn, queue, messages } = journal.state;
    const isIdle = !turn && queue.size === 0 && messages.size === 0;
    return life === "none" && isIdle && !current.isAlive && !current.isOpening;
  }

  /** What the session would know had nothing happened in it yet; only its numbers go on. */
  blankCheckpoint(): Checkpoint {
    const { settings, journal } = this.#parts;
    const { sequence, next } = journal.state;
    return checkpointOf({ ...emptyFold(settings.file.createdAt), sequence, next });
  }

  /** Nothing is going on and nothing would be lost: the session can be dropped from memory and read again from disk. */
  get isCold(): boolean {
    const { journal, settings, current, lives, deliveries } = this.#parts;
    const { turn, queue } = journal.state;
    const isAtWork = current.isAlive || current.isOpening || deliveries.isDriving;
    return !isAtWork && !turn && queue.size === 0 && !settings.hasSecrets && lives.error === undefined;
  }

  /** Says on disk that an agent is about to run, which its start would otherwise wait for. */
  expectAgent(): Promise<void> {
    return this.#parts.recoveryState.unsettle();
  }

  /** Starts the agent. A failure is not thrown: it is told by `view()` and tried again at the next message. */
  async start(): Promise<void> {
    try {
      await this.#parts.lives.wake();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await this.#parts.recoveryState.settle();
    }
  }

  /** Leaves the agent unstarted and says why. */
  async refuse(error: AgentError): Promise<void> {
    await this.#parts.lives.refuse(error);
    await this.#parts.recoveryState.settle();
  }

  /** Closes what was cut short. Messages that were never given stay queued until `resumeQueue`. */
  async recover(cut: CutShort): Promise<void> {
    const { journal, recoveryState, rewinds } = this.#parts;
    await beginAnew(this.#parts);
    await rewinds.recover();
    recover(this.#parts, cut);
    await journal.sync();
    await recoveryState.settle();
  }

  resumeQueue(): void {
    this.#parts.deliveries.resume();
  }

  /** `trace` is of the request that sends it: the turn of the message goes on with that. */
  send(message: SendMessage, trace?: TraceContext): Promise<SentMessage> {
    const { deliveries, work } = this.#parts;
    return work.run("accept a message", () => deliveries.accept(message, trace));
  }

  /** A call to a model for this session: a span in its turn, and figures. What it returns must be told of the end, once. */
  startModelCall(call: ModelCall): (end: ModelCallEnd) => void {
    const { span, counters } = this.#parts;
    const ends = [span.startModelCall(call), counters.startModelCall(call)];
    return (end) => {
      for (const tell of ends.splice(0)) tell(end);
    };
  }

  messageEnd(messageId: string): Promise<number> {
    return this.#parts.messages.end(messageId);
  }

  cancelMessage(messageId: string): Promise<void> {
    const { deliveries, work } = this.#parts;
    return work.run("cancel a message", () => deliveries.cancel(messageId));
  }

  /** Ends the open turn. Resolves when it has ended; an agent that does not obey is replaced. */
  interrupt(options: InterruptSession): Promise<void> {
    return this.#parts.work.run("interrupt the turn", () => this.#interrupt(options));
  }

  async #interrupt({ queue = "keep" }: InterruptSession): Promise<void> {
    const { journal, messages, turns, requests, deliveries, current, lives, admission } = this.#parts;
    if (queue === "cancel") messages.cancelQueue();
    const { turn } = journal.state;
    if (!turn) {
      deliveries.cancelPrepared();
      return journal.sync();
    }
    turns.setStopCause("interrupted_by_user");
    requests.cancelAll("user", "Interrupted by the user");
    if (deliveries.isGiving(turn.turnId)) turns.end({ status: "interrupted" });
    else current.tell({ type: "interrupt" });
    await journal.sync();
    await turns.waitForEnd(interruptMs);
    const isOpen = journal.state.turn?.turnId === turn.turnId;
    // A session that is being closed or deleted ends its life itself.
    if (isOpen && !admission.isClosed) await lives.replace("agent_unresponsive", "interrupted");
    await journal.sync();
  }

  /** Takes conversation and files back to the end of a turn. */
  rewind(rewind: Rewind): Promise<Rewound> {
    const { rewinds, work } = this.#parts;
    return work.run("rewind", () => rewinds.rewind(rewind, () => this.#interrupt({ queue: "cancel" })));
  }

  undoRewind(undo: UndoRewind): Promise<Rewound> {
    const { rewinds, work } = this.#parts;
    return work.run("undo a rewind", () => rewinds.undo(undo));
  }

  /** How the files differ between the ends of two turns. */
  changes(range: { from: number; to?: number | undefined }): Promise<SessionChanges> {
    const { files, work } = this.#parts;
    return work.run("compare files", () => files.changes(range));
  }

  /** How its files differ from those of another session; without a turn at the end of the last one that is over. */
  compare(
    other: Session,
    { from, to }: { from?: number | undefined; to?: number | undefined },
  ): Promise<SessionChanges> {
    const { files, journal, work } = this.#parts;
    const theirs = other.#parts;
    const places = {
      from: from ?? lastTurnOver(journal.state),
      to: to ?? lastTurnOver(theirs.journal.state),
    };
    return work.run("compare sessions", () => files.compare({ ...places, other: theirs.files }));
  }

  /** The turn after which a fork begins. Throws `turn_not_found` and `cannot_fork`. */
  forkTurn(asked: number | undefined): number {
    const { state } = this.#parts.journal;
    const at = asked ?? lastTurnOver(state);
    mustBeOver(state, at, this.sessionId);
    cutAfter(state, at, this.sessionId);
    return at;
  }

  /** Where a fork begins, and the conversation it goes on with; nothing of this session changes. */
  prepareFork(at: number, directory: string): Promise<PreparedFork> {
    const { journal, rewinds, admission, work } = this.#parts;
    return work.run("fork the session", async () => {
      admission.check();
      const { state } = journal;
      const { sessionId } = this;
      const cut = cutAfter(state, at, sessionId);
      const conversation = await rewinds.fork(cut, directory).catch((error: unknown) => {
        throw error instanceof Failure ? new Failure("cannot_fork", error.message, { sessionId }) : error;
      });
      await journal.syncAll();
      const upTo = await endOfTurn(this.log, state, at);
      const told = { from: sessionId, at, directory };
      return { upTo, body: { type: "session.forked", data: { ...told, ...conversation } } };
    });
  }

  /** Makes the directory of a fork as this session's was at the end of a turn. */
  makeDirectory(options: { turn: number; into: string; as: string; worktree: boolean }): Promise<void> {
    const { files, work } = this.#parts;
    return work.run("make a directory", () => files.materialize(options));
  }

  /** What it was asked to be, as it lies on the disk. */
  get file(): SessionFile {
    return this.#parts.settings.file;
  }

  /** The conversation as another agent can be told it. Throws `session_busy` while anything is going on. */
  history(calls: "calls" | "text"): Promise<CarriedHistory> {
    const { journal, rewinds, work } = this.#parts;
    return work.run("read the conversation", async () => {
      rewinds.mustBeIdle();
      await journal.syncAll();
      const turnIds = new Set(journal.state.turns.map(({ turnId }) => turnId));
      return await historyOfLog(this.log.events(0), { turnIds, calls });
    });
  }

  /** Ends the agent's life and cancels the queue. A later message starts a new life. */
  terminate(): Promise<void> {
    const { journal, messages, current, lives, work } = this.#parts;
    return work.run("terminate the agent", async () => {
      messages.cancelQueue();
      if (journal.state.life === "open" || current.isOpening || current.isAlive) await lives.terminate();
      else await journal.sync();
    });
  }

  /** Changes settings. What a running agent takes over changes at once, the rest with its next life. */
  update(change: UpdateSession): Promise<void> {
    const { settings, journal, lives, deliveries, admission, work } = this.#parts;
    return work.run("change settings", async () => {
      admission.check();
      const fields = await settings.update(change);
      if (Object.keys(fields).length > 0) {
        journal.emit("daemon", { type: "session.updated", data: fields }, null);
        await journal.sync();
      }
      lives.update(change);
      deliveries.drive();
    });
  }

  /** Takes nothing more and gives up an agent that is being opened, so that `close` or `destroy` need not wait for it. */
  refuseWork(): void {
    const { admission, work, lives } = this.#parts;
    admission.close();
    work.background("give up an agent that starts", lives.abortOpening());
  }

  /** The same for another agent that goes on in its place, with its log: whoever reads that reads on. */
  async retire(): Promise<EventLog> {
    await this.#end();
    await this.raw?.close();
    this.#isDestroyed = true;
    return this.log;
  }

  /** Ends everything for a stop of the daemon: the turn, the agent, the log. Queued messages stay queued. */
  async close(): Promise<void> {
    try {
      await this.#end();
    } finally {
      await this.raw?.close();
      await this.log.close();
    }
  }

  async #end(): Promise<void> {
    this.#parts.admission.close();
    // Its failure is in the log; what is left is closed all the same.
    await this.#stopping.catch(() => undefined);
    await this.#parts.lives.stop();
    await this.#endWork();
    if (!this.log.failed) await this.#parts.recoveryState.settle();
  }

  /** Kills the agent and removes the log; what was pending is gone with it. */
  async destroy(): Promise<void> {
    const { admission, lives, turns, recoveryState, snapshots } = this.#parts;
    admission.close();
    await lives.kill();
    turns.stopWaiting();
    await this.#endWork();
    await snapshots.forget();
    // What cannot be written any more is going to be removed anyway.
    this.#isDestroyed = true;
    await recoveryState.forget();
    await this.raw?.close();
    await this.log.destroy();
  }

  async #stopUnwritable(failure: Failure): Promise<void> {
    const { admission, clock, lives, journal, settings, log } = this.#parts;
    log("error", "the event log cannot be written", { sessionId: this.sessionId, error: failure.message });
    admission.close();
    clock.stop();
    await lives.kill();
    journal.rewind(await restore(this.log, settings.file));
  }

  /** Nothing is under way any more when this resolves, so nothing is written behind a close or a removal. */
  async #endWork(): Promise<void> {
    const { clock, work } = this.#parts;
    clock.stop();
    await work.end();
  }
}

function lossOf({ sessionId, lastSequence }: EventLog, { path, cutBytes, keptAs }: Recovery) {
  return { sessionId, path, afterSequence: lastSequence, cutBytes, keptAs };
}

/** The state at the end of the log: the checkpoint, if the log still reaches it, and the events after it. */
async function restore(log: EventLog, { checkpoint, createdAt }: SessionFile): Promise<Fold> {
  const isUsable = checkpoint !== undefined && checkpoint.sequence <= log.lastSequence && knowsTurns(checkpoint);
  const state = isUsable ? foldOf(structuredClone(checkpoint)) : emptyFold(createdAt);
  for await (const { sequence, time, source, turnId, ...body } of log.events(state.sequence)) {
    fold(state, { sequence, time, source, turnId, body });
  }
  return state;
}
