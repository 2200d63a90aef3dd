import { randomBytes } from "node:crypto";
import { type Adapter, type AgentHost, AgentStartFailure, ForkFailure } from "@muster/adapters";
import { messageOf } from "@muster/core";
import { type Body, Failure, type Rewind, type Rewound, type TurnPlace, type UndoRewind } from "@muster/schema/wire";
import type { Deliveries } from "../delivery/deliveries.ts";
import { historyOfLog } from "../hand-over/history-of-log.ts";
import type { Admission } from "../life/admission.ts";
import type { Lives } from "../life/lives.ts";
import type { OngoingWork } from "../life/ongoing-work.ts";
import type { CurrentLife } from "../state/agent-life.ts";
import type { Journal } from "../state/journal.ts";
import type { RecoveryState } from "../state/recovery-state.ts";
import type { SessionSettings } from "../state/session-settings.ts";
import { type Cut, cutAfter, forkPointOf } from "./fork-places.ts";
import type { Moved, SessionFiles } from "./session-files.ts";

export interface RewindsParts {
  adapter: Pick<Adapter, "name" | "fork" | "importHistory">;
  host: AgentHost;
  settings: SessionSettings;
  journal: Journal;
  current: Pick<CurrentLife, "isAlive" | "isOpening">;
  lives: Pick<Lives, "sleep" | "wake">;
  deliveries: Pick<Deliveries, "hold" | "resume" | "isDriving">;
  admission: Pick<Admission, "check">;
  work: Pick<OngoingWork, "background">;
  files: SessionFiles;
  recoveryState: Pick<RecoveryState, "unsettle" | "settle">;
}

type RewoundBody = Body<"session.rewound">;

const toldPaths = 1_000;

/**
 * Rewinds of a session. The chat goes on with a fork of the agent's conversation, made before anything else is touched: the
 * old one stays as it is and is the undo, and a kill at any moment leaves either the one or the other.
 */
export class Rewinds {
  readonly #parts: RewindsParts;
  #isRewinding = false;

  constructor(parts: RewindsParts) {
    this.#parts = parts;
  }

  /** `interrupt` ends the turn with its requests and cancels the queue; it resolves when that is done. */
  async rewind(rewind: Rewind, interrupt: () => Promise<void>): Promise<Rewound> {
    const { journal, admission, settings, files } = this.#parts;
    const { to, preview, force } = rewind;
    admission.check();
    const what = partsOf(rewind);
    const { sessionId } = settings.file;
    const cut = cutAfter(journal.state, to, sessionId);
    if (what.chat && cut.kept.length > 0) this.#mustFork();
    const skipped = what.files ? await files.unavailable() : undefined;
    // Whoever named the files wants them moved, or nothing.
    if (skipped !== undefined && rewind.files) throw this.#cannotFork(`Nothing is known of the files: ${skipped}`);
    const moves = what.files && skipped === undefined;
    if (preview) {
      const found = moves ? await files.preview({ to, force }) : { ...noFiles, filesSkipped: skipped };
      return { ...found, turns: what.chat ? idsOf(cut) : [] };
    }
    return await this.#alone(rewind.interrupt ? interrupt : undefined, async () => {
      // What was interrupted may have been a turn of its own.
      const now = cutAfter(journal.state, to, sessionId);
      if (moves) await files.check({ to, force });
      const conversation = what.chat ? await this.fork(now, settings.stored.directory) : undefined;
      const token = newToken();
      const told = { toTurn: to, turns: what.chat ? idsOf(now) : [], chat: what.chat, files: moves, token };
      const body: RewoundBody = { type: "session.rewound", data: { ...told, ...conversation } };
      const rewound = await this.#move(body, () => files.rewind({ to, force }));
      return { ...rewound, filesSkipped: skipped };
    });
  }

  async undo({ undo: token, force }: UndoRewind): Promise<Rewound> {
    const { journal, admission, files } = this.#parts;
    admission.check();
    return await this.#alone(undefined, async () => {
      const { undo } = journal.state;
      if (!undo || (token !== undefined && undo.token !== token)) throw this.#nothingToUndo(token);
      const { chat, turns, toTurn, nativeSessionId, fileUndo } = undo;
      if (undo.files && fileUndo === undefined)
        throw this.#cannotFork("The way back of the files was lost with a kill");
      const back = turns.filter((kept) => kept.turn > toTurn).map(({ turnId }) => turnId);
      const last = turns.at(-1)?.turn ?? 0;
      const told = { toTurn: last, turns: chat ? back : [], chat, files: undo.files, token: undo.token };
      const data = { ...told, undone: true, ...(chat ? { nativeSessionId } : {}) };
      return await this.#move({ type: "session.rewound", data }, () => files.undo({ token: fileUndo ?? "", force }));
    });
  }

  /** A conversation of its own with the turns that stay; none for a beginning. Where the agent's own does not reach so far, the log tells it. */
  async fork(cut: Cut, directory: string): Promise<{ nativeSessionId?: string; places?: TurnPlace[] }> {
    const { adapter, host, settings, journal } = this.#parts;
    const { state } = journal;
    if (cut.kept.length === 0) return {};
    const options = { ...settings.openOptions(state), directory };
    const at = forkPointOf(state, cut, settings.stored.directory);
    try {
      if (at === undefined || adapter.fork === undefined) throw new ForkFailure("The agent does not have those turns");
      const { nativeSessionId, places } = await adapter.fork(host, options, at);
      return { nativeSessionId, ...(places === undefined ? {} : { places: [...places] }) };
    } catch (error) {
      if (!(error instanceof ForkFailure || error instanceof AgentStartFailure)) throw error;
      if (adapter.importHistory === undefined || error instanceof AgentStartFailure) throw this.#cannotFork(error);
      host.log("warn", "a conversation is told from the log", { sessionId: options.sessionId, why: error.message });
      const turnIds = new Set(cut.kept.map(({ turnId }) => turnId));
      const history = await historyOfLog(journal.log.events(0), { turnIds, calls: "calls" });
      const { nativeSessionId } = await adapter.importHistory(host, options, history).catch((failure: unknown) => {
        throw this.#cannotFork(failure);
      });
      return { nativeSessionId, places: cut.kept.map(() => ({})) };
    }
  }

  /** At a load: a rewind that a kill cut short is finished or taken back, as its files say. */
  async recover(): Promise<void> {
    const { settings, journal, files, host } = this.#parts;
    const { pendingRewind } = settings.file;
    if (pendingRewind === undefined) return;
    const { data } = pendingRewind;
    const { token, undone, files: hasFiles } = data;
    const { undo } = journal.state;
    const isTold = undone ? undo?.token !== token : undo?.token === token;
    const moved = isTold || !hasFiles ? undefined : await files.movedBefore(data, undo?.fileUndo);
    const { sessionId } = settings.file;
    if (!isTold) host.log("warn", `a rewind was ${moved ? "finished" : "taken back"} after a kill`, { sessionId });
    if (moved) journal.emit("daemon", bodyOf(data, moved), null);
    await journal.sync();
    await settings.note({ pendingRewind: undefined });
  }

  /** The files move, journaled, and the log says so; what a kill leaves of it, `recover` brings in order. */
  async #move(body: RewoundBody, move: () => Promise<Moved>): Promise<Rewound> {
    const { settings, journal, recoveryState } = this.#parts;
    const { data } = body;
    // A start looks at this session by itself: files that were half moved do not wait until somebody asks for it.
    if (data.files) await recoveryState.unsettle();
    if (data.files) await settings.note({ pendingRewind: body });
    let moved: Moved = noFiles;
    try {
      if (data.files) moved = await move();
    } catch (error) {
      await settings.note({ pendingRewind: undefined });
      await recoveryState.settle();
      throw error;
    }
    const { undo, ...rest } = moved;
    journal.emit("daemon", bodyOf(data, { undo, paths: moved.changes.map(({ path }) => path) }), null);
    await journal.sync();
    if (data.files) {
      await settings.note({ pendingRewind: undefined });
      await recoveryState.settle();
    }
    return { ...rest, turns: data.turns, ...(data.undone ? {} : { undo: data.token }) };
  }

  /** Nothing else begins meanwhile: the agent sleeps, and messages that come wait. */
  async #alone<T>(interrupt: (() => Promise<void>) | undefined, work: () => Promise<T>): Promise<T> {
    const { deliveries, lives, current, journal } = this.#parts;
    if (interrupt === undefined) this.mustBeIdle();
    if (this.#isRewinding) throw this.#busy("The session is being rewound");
    this.#isRewinding = true;
    deliveries.hold();
    try {
      if (interrupt !== undefined) await interrupt();
      this.mustBeIdle();
      // An agent that starts is waited for: given up, it would be told as one that failed.
      if (current.isOpening) await lives.wake().catch(() => undefined);
      const wasAlive = current.isAlive;
      await lives.sleep();
      const done = await work();
      // Whoever goes on at once need not wait for the start of a process.
      if (wasAlive && journal.state.queue.size === 0) this.#wake();
      return done;
    } finally {
      this.#isRewinding = false;
      deliveries.resume();
    }
  }

  #wake(): void {
    const { lives, work } = this.#parts;
    // A failure is told by the session, and the next message tries again.
    work.background(
      "start the agent again",
      lives.wake().then(() => undefined),
    );
  }

  /** Throws `session_busy` while anything is going on. */
  mustBeIdle(): void {
    const { journal, deliveries } = this.#parts;
    const { turn, queue, questions, permissions } = journal.state;
    if (turn) throw this.#busy("A turn is open", { turnId: turn.turnId });
    if (questions.size + permissions.size > 0) throw this.#busy("A request waits for a person");
    if (queue.size > 0 || deliveries.isDriving) throw this.#busy("Messages are queued");
  }

  #mustFork(): void {
    const { adapter, settings } = this.#parts;
    if (adapter.fork ?? adapter.importHistory) return;
    const { sessionId } = settings.file;
    const remedy = "the files alone can be, with files: true";
    throw new Failure("cannot_rewind", `${adapter.name} cannot rewind its conversation; ${remedy}`, { sessionId });
  }

  #busy(detail: string, fields: object = {}): Failure {
    const { sessionId } = this.#parts.settings.file;
    return new Failure("session_busy", `${detail}; interrupt ends it first`, { sessionId, ...fields });
  }

  #cannotFork(error: unknown): Failure {
    const { sessionId } = this.#parts.settings.file;
    return new Failure("cannot_rewind", typeof error === "string" ? error : messageOf(error), { sessionId });
  }

  #nothingToUndo(token: string | undefined): Failure {
    const { sessionId } = this.#parts.settings.file;
    const which = token === undefined ? "There is no rewind" : `The rewind ${token} is not the last one`;
    return new Failure("nothing_to_undo", `${which}, or a turn has begun since`, { sessionId });
  }
}

const noFiles: Moved = { changes: [], conflicts: [] };

/** With what was moved, and the way back of it. */
function bodyOf(
  data: RewoundBody["data"],
  { undo, paths }: { undo: string | undefined; paths: string[] },
): RewoundBody {
  const told = paths.length > 0 ? { paths: paths.slice(0, toldPaths) } : {};
  return { type: "session.rewound", data: { ...data, ...told, ...(data.undone ? {} : { fileUndo: undo }) } };
}

/** Both, when neither is named. */
function partsOf({ files, chat }: Rewind): { files: boolean; chat: boolean } {
  if (files === undefined && chat === undefined) return { files: true, chat: true };
  return { files: files ?? false, chat: chat ?? false };
}

function idsOf({ gone }: Cut): string[] {
  return gone.map(({ turnId }) => turnId);
}

function newToken(): string {
  return `rw_${randomBytes(8).toString("hex")}`;
}
