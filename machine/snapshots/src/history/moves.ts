import type { Store } from "../store.ts";
import type { By, IsOwn } from "./author.ts";
import type { Looks } from "./looks.ts";
import { ChangedMeanwhile, Mover, newToken } from "./mover.ts";
import type { PointLog } from "./point-log.ts";
import type { MoveDone, Point, Snapshot } from "./points.ts";
import { type Change, type Conflict, type MovePlan, planRewind } from "./rewind-plan.ts";
import { NoSnapshot, type SnapshotFinder } from "./snapshot-finder.ts";
import { type Stories, storiesOf } from "./stories.ts";

export interface Preview {
  changes: Change[];
  conflicts: Conflict[];
  /** There and known to nobody: ignored when they were made, or not recorded. They stay. */
  kept: string[];
}

export interface Moved extends Preview {
  kind: "moved";
  /** Takes this move back. */
  undo: string;
}

/** Nothing was changed: there are conflicts. */
export interface Refused extends Preview {
  kind: "conflict";
}

/** A move that a kill had cut, and what became of it when the history was opened again. */
export interface Recovered {
  session: string;
  to: number;
  /** It was taking a rewind back. */
  isUndo: boolean;
  how: "finished" | "taken back";
  /** Changed by somebody else since; they stay as they are. */
  left: string[];
}

export interface RewindWish {
  session: string;
  to: number;
  /** Paths that are moved in spite of their conflict. */
  force?: readonly string[];
}

export interface UndoWish {
  session: string;
  token: string;
  force?: readonly string[];
}

interface Planned {
  plan: MovePlan;
  /** The look that the move starts from: what it takes away lies there. */
  safety: Point;
}

/** A file that is written all the time is a conflict after so many tries. */
const attempts = 3;

/** Moves of the work tree to what it was, with everything that nobody but their session has made. */
export class Moves {
  readonly #store: Store;
  readonly #looks: Looks;
  readonly #points: PointLog;
  readonly #finder: SnapshotFinder;
  readonly #mover: Mover;

  constructor(parts: { store: Store; looks: Looks; points: PointLog; finder: SnapshotFinder }) {
    this.#store = parts.store;
    this.#looks = parts.looks;
    this.#points = parts.points;
    this.#finder = parts.finder;
    this.#mover = new Mover(parts.store);
  }

  async preview(wish: RewindWish): Promise<Preview> {
    const { plan } = await this.#planRewind(wish);
    return previewOf(plan);
  }

  rewind(wish: RewindWish): Promise<Moved | Refused> {
    const { session, to } = wish;
    return this.#try(() => this.#planRewind(wish), { session, to, undoes: null });
  }

  undo(wish: UndoWish): Promise<Moved | Refused> {
    const { session, token } = wish;
    const to = this.#points.all.find(({ move }) => move?.token === token)?.move?.to ?? 0;
    return this.#try(() => this.#planUndo(wish), { session, to, undoes: token });
  }

  /** Ends what a kill has cut in its middle. */
  async recover(): Promise<Recovered | undefined> {
    const move = await this.#mover.unfinished();
    if (move === undefined) return undefined;
    const isTold = this.#points.all.some((point) => point.move?.token === move.token);
    const about = { session: move.session, to: move.to, isUndo: move.undoes !== null };
    try {
      const left = isTold ? [] : await this.#mover.resume(move);
      if (!isTold) await this.#tell({ ...move, steps: move.steps.filter(({ path }) => !left.includes(path)) });
      await this.#mover.settle();
      return { ...about, how: "finished", left };
    } catch {
      // Something that stands in the way now did not before: what was begun is undone as far as it goes.
      const left = await this.#mover.takeBack(move);
      await this.#mover.settle();
      return { ...about, how: "taken back", left };
    }
  }

  async #planRewind({ session, to, force = [] }: RewindWish): Promise<Planned> {
    const then = this.#finder.find({ session, turn: to });
    const { point } = await this.#looks.look({ kind: "look" });
    const isOwn: IsOwn = (by) => by.session === session;
    const stories = storiesOf(this.#points.after(then.n));
    return { plan: await this.#plan({ then, stories, isOwn, force }), safety: point };
  }

  /** Back to what the move found, as far as nobody, the session itself included, has changed it since. */
  async #planUndo({ session, token, force = [] }: UndoWish): Promise<Planned> {
    const { all } = this.#points;
    const moved = all.find(({ move }) => move?.token === token && move.session === session)?.move;
    if (moved === undefined) throw new NoSnapshot(`There is no rewind ${token} to take back`);
    if (all.some(({ move }) => move?.undoes === token)) throw new NoSnapshot(`Rewind ${token} was taken back already`);
    const at = all.findIndex(({ move }) => move?.token === token);
    const then = this.#points.snapshotAt(all[at - 1]?.n ?? 0);
    if (then === undefined) throw new NoSnapshot(`What rewind ${token} had found is not kept any more`);
    const { point } = await this.#looks.look({ kind: "look" });
    const { steps, directories } = moved;
    const { removed, made, modes } = directories;
    const named = [...removed, ...made, ...modes.map(({ path }) => path)].map((path) => `${path}/`);
    const paths = new Set([...steps.map(({ path }) => path), ...named]);
    const isOwn: IsOwn = (by) => by.call === token;
    const stories = new Map([...storiesOf(this.#points.after(then.n))].filter(([path]) => paths.has(path)));
    return { plan: await this.#plan({ then, stories, isOwn, force, paths }), safety: point };
  }

  async #plan(question: {
    then: Snapshot;
    stories: Stories;
    isOwn: IsOwn;
    force: readonly string[];
    paths?: ReadonlySet<string>;
  }): Promise<MovePlan> {
    const { then, stories, isOwn, force, paths } = question;
    const now = await this.#looks.lookBy(then);
    const { umask } = this.#points;
    return planRewind({ store: this.#store, now, then, stories, isOwn, force: new Set(force), umask, paths });
  }

  async #try(
    makePlan: () => Promise<Planned>,
    about: Pick<MoveDone, "session" | "to" | "undoes">,
  ): Promise<Moved | Refused> {
    for (let attempt = 1; ; attempt++) {
      const { plan } = await makePlan();
      const preview = previewOf(plan);
      if (preview.conflicts.length > 0) return { kind: "conflict", ...preview };
      const token = newToken();
      const { steps, directories } = plan;
      const move: MoveDone = { token, ...about, steps, directories };
      try {
        await this.#mover.run(move);
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile)) throw error;
        if (attempt < attempts) continue;
        const conflict: Conflict = { path: error.path, by: [], reason: "changed_since" };
        return { kind: "conflict", ...preview, conflicts: [conflict] };
      }
      await this.#tell(move);
      await this.#mover.settle();
      return { kind: "moved", ...preview, undo: token };
    }
  }

  async #tell(move: MoveDone): Promise<void> {
    const { steps, directories, session, to, token } = move;
    const { removed, made, modes } = directories;
    const named = [...removed, ...made, ...modes.map(({ path }) => path)].map((path) => `${path}/`);
    const by: By = { session, turn: to, call: token, how: "rewind" };
    // Directories that have become empty by the move are its own as well.
    const above = steps.flatMap(({ path }) => {
      const parts = path.split("/").slice(0, -1);
      return parts.map((_, at) => `${parts.slice(0, at + 1).join("/")}/`);
    });
    const paths = [...steps.map(({ path }) => path), ...named, ...above];
    await this.#looks.look({ kind: "move", place: { session, turn: to }, move, moved: { paths, by } });
  }
}

function previewOf({ changes, conflicts, kept }: MovePlan): Preview {
  return { changes, conflicts, kept };
}
