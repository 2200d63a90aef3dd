import { messageOf } from "@muster/core";
import { type Body, Failure, type Rewound, type SessionChanges } from "@muster/schema/wire";
import type { DirectoryHistory, Moved as HistoryMoved, Preview, Refused } from "@muster/snapshots";
import type { Fold } from "../../fold.ts";
import type { DirectoryHistories } from "../snapshots/directory-histories.ts";
import type { SessionSnapshots } from "../snapshots/session-snapshots.ts";
import { cutAfter } from "./fork-places.ts";

export interface SessionFilesParts {
  sessionId: string;
  state: Fold;
  snapshots: Pick<SessionSnapshots, "history" | "settled">;
  /** Undefined where the daemon takes no snapshots. */
  histories: DirectoryHistories | undefined;
}

interface NewDirectory {
  turn: number;
  into: string;
  as: string;
  worktree: boolean;
}

export type Moved = Pick<Rewound, "changes" | "conflicts" | "filesSkipped"> & { undo?: string };

interface Target {
  to: number;
  force?: readonly string[] | undefined;
}

/** The files of a session as they were at the ends of its turns. */
export class SessionFiles {
  readonly #parts: SessionFilesParts;

  constructor(parts: SessionFilesParts) {
    this.#parts = parts;
  }

  /** Why files cannot be moved here at all; undefined where they can. */
  async unavailable(): Promise<string | undefined> {
    const history = await this.#parts.snapshots.history();
    return "unavailable" in history ? history.unavailable : undefined;
  }

  /** Throws `cannot_rewind` where nothing is known of that turn. */
  async preview({ to, force }: Target): Promise<Moved> {
    const history = await this.#history();
    await this.#parts.snapshots.settled();
    return plain(await this.#known(history.preview({ session: this.#session, to, force: [...(force ?? [])] })));
  }

  /** Throws `rewind_conflict` with every file that somebody else changed. */
  async check(target: Target): Promise<void> {
    const preview = await this.preview(target);
    if (preview.conflicts.length > 0) throw this.#conflict(preview);
  }

  async rewind({ to, force }: Target): Promise<Moved> {
    const history = await this.#history();
    const options = { session: this.#session, to, force: [...(force ?? [])] };
    return this.#moved(await this.#known(history.rewind(options)));
  }

  async undo({ token, force }: { token: string; force?: readonly string[] | undefined }): Promise<Moved> {
    const history = await this.#history();
    const options = { session: this.#session, token, force: [...(force ?? [])] };
    return this.#moved(await this.#known(history.undo(options)));
  }

  /** After a kill in the middle of a rewind: what it has moved; undefined where it moved nothing or was taken back. */
  async movedBefore(
    { toTurn, undone }: Body<"session.rewound">["data"],
    told: string | undefined,
  ): Promise<{ undo: string; paths: string[] } | undefined> {
    const history = await this.#parts.snapshots.history();
    const move = "unavailable" in history ? undefined : history.lastMove(this.#session);
    if (move === undefined || move.token === told) return undefined;
    const isMeant = undone ? move.undoes === told : move.undoes === null && move.to === toTurn;
    return isMeant ? { undo: move.token, paths: move.steps.map(({ path }) => path) } : undefined;
  }

  /** A new directory as this one was at the end of a turn. Throws `cannot_fork`. */
  async materialize({ turn, into, as, worktree }: NewDirectory): Promise<void> {
    const history = await this.#parts.snapshots.history();
    const sessionId = this.#session;
    if ("unavailable" in history) {
      throw new Failure("cannot_fork", `Nothing is known of the files: ${history.unavailable}`, { sessionId });
    }
    await this.#parts.snapshots.settled();
    try {
      await history.materialize({ session: sessionId, turn, into, how: worktree ? "worktree" : "copy" });
      await this.#inherit({ at: turn, directory: into, as });
    } catch (error) {
      throw new Failure("cannot_fork", messageOf(error), { sessionId, directory: into });
    }
  }

  /** The turns of this session as those of a fork, so that it can be rewound behind its beginning. */
  async #inherit({ at, directory, as }: { at: number; directory: string; as: string }): Promise<void> {
    const from = await this.#parts.snapshots.history();
    const history = await this.#parts.histories?.of(directory);
    if (history === undefined || "unavailable" in from || "unavailable" in history) return;
    await history.inherit({ from, session: this.#session, at, as });
  }

  /** How the directory differs between the ends of two turns; `to` missing is now. */
  async changes({ from, to }: { from: number; to?: number | undefined }): Promise<SessionChanges> {
    const history = await this.#parts.snapshots.history();
    if ("unavailable" in history) return { files: [], skipped: history.unavailable };
    const { state } = this.#parts;
    for (const turn of [from, to ?? 0]) mustHaveBeen(state, turn, this.#session);
    await this.#parts.snapshots.settled();
    return told(history.diff({ session: this.#session, from, to }));
  }

  /** How the directory at the end of a turn differs from another session's at the end of one of its turns. */
  async compare({ from, other, to }: { from: number; other: SessionFiles; to: number }): Promise<SessionChanges> {
    const mine = await this.#parts.snapshots.history();
    const theirs = await other.#parts.snapshots.history();
    if ("unavailable" in mine) return { files: [], skipped: mine.unavailable };
    if ("unavailable" in theirs) return { files: [], skipped: theirs.unavailable };
    mustHaveBeen(this.#parts.state, from, this.#session);
    mustHaveBeen(other.#parts.state, to, other.#session);
    await Promise.all([this.#parts.snapshots.settled(), other.#parts.snapshots.settled()]);
    const place = { session: this.#session, turn: from };
    const otherPlace = { session: other.#session, turn: to };
    return told(mine.compare({ place, other: theirs, otherPlace }));
  }

  get #session(): string {
    return this.#parts.sessionId;
  }

  async #history(): Promise<DirectoryHistory> {
    const history = await this.#parts.snapshots.history();
    if (!("unavailable" in history)) return history;
    throw new Failure("cannot_rewind", `Nothing is known of the files: ${history.unavailable}`, {
      sessionId: this.#session,
    });
  }

  #moved(moved: HistoryMoved | Refused): Moved {
    if (moved.kind === "conflict") throw this.#conflict(moved);
    return { ...plain(moved), undo: moved.undo };
  }

  async #known<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (!(await isNoSnapshot(error))) throw error;
      const detail = `${messageOf(error)}; the conversation alone can be rewound, with chat: true`;
      throw new Failure("cannot_rewind", detail, { sessionId: this.#session });
    }
  }

  #conflict({ conflicts, changes }: Pick<Preview, "conflicts" | "changes">): Failure {
    const paths = conflicts.map(({ path }) => path);
    const named = paths.slice(0, 5).join(", ") + (paths.length > 5 ? " …" : "");
    const detail = `Somebody else changed ${named}; nothing was done, force names files that are rewound all the same`;
    return new Failure("rewind_conflict", detail, { sessionId: this.#session, conflicts, changes });
  }
}

async function told(asked: ReturnType<DirectoryHistory["diff"]>): Promise<SessionChanges> {
  try {
    const { files, truncated } = await asked;
    return { files: files.map((file) => ({ ...file, by: [...file.by] })), truncated: truncated || undefined };
  } catch (error) {
    if (!(await isNoSnapshot(error))) throw error;
    return { files: [], skipped: messageOf(error) };
  }
}

/** The package is there already where it has thrown; a start of the daemon does not load it. */
async function isNoSnapshot(error: unknown): Promise<boolean> {
  return error instanceof (await import("@muster/snapshots")).NoSnapshot;
}

/** Throws `turn_not_found`; a turn that was rewound has been all the same. */
function mustHaveBeen(state: Fold, turn: number, sessionId: string): void {
  if (turn >= state.next.turn) cutAfter(state, turn, sessionId);
}

function plain({ changes, conflicts }: Pick<Preview, "changes" | "conflicts">): Moved {
  return {
    changes: changes.map((one) => ({ ...one, by: [...one.by] })),
    conflicts: conflicts.map((one) => ({ ...one, by: [...one.by] })),
  };
}
