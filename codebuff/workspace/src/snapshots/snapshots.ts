import { homedir } from "node:os";
import { join } from "node:path";
import { captureWorkTree, type WorkTreeState } from "./capture.ts";
import { type ExcludeSource, excludeSources } from "./exclude-rules.ts";
import { collectStore } from "./garbage.ts";
import { askUserGit, GitFailure } from "./git.ts";
import { keepTree, openStore, releaseTree, SnapshotsUnavailable, type Store } from "./store.ts";
import { type Checkpoint, readTimeline, type Timeline, timelineName, writeTimeline } from "./timeline.ts";
import { combineTrees, compareTrees, InTheWay, moveWorkTree, type TreeChange } from "./trees.ts";

export interface SnapshotsOptions {
  /** The project's directory; it need not be a repository. */
  root: string;
  /** Sessions have separate timelines. */
  session?: string;
  /** Where all stores lie; outside of every project. */
  directory?: string;
  git?: string;
  /** Larger files are left alone. */
  maxFileBytes?: number;
  /** More new or changed files than this at once are refused. */
  maxFiles?: number;
}

export interface CheckpointInfo {
  id: number;
  label: string;
  time: string;
  /** Repositories inside the project, which no snapshot looks into. */
  nested: string[];
  skipped: string[];
}

export type MoveResult =
  | { kind: "moved"; id: number; label: string; changes: { path: string; kind: TreeChange["kind"] }[] }
  /** Nothing was changed: these files were changed by somebody else since. */
  | { kind: "conflict"; id: number; paths: string[] }
  | { kind: "blocked"; id: number; reason: string }
  | { kind: "nothing" };

/**
 * Undo, redo and checkpoints of a whole work tree, whoever changed it. Contents go to a git repository of our own
 * outside of the project; the user's repository is never written. Ignored files are left alone, as git ignores them.
 */
export class Snapshots {
  readonly #store: Store;
  readonly #options: Required<Pick<SnapshotsOptions, "git" | "maxFileBytes" | "maxFiles">>;
  readonly #sources: readonly ExcludeSource[];
  readonly #repository: boolean;
  readonly #session: string;
  #timeline: Timeline;
  #modes: Record<string, number> = {};
  #lastTree: string | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(parts: {
    store: Store;
    options: Required<SnapshotsOptions>;
    sources: readonly ExcludeSource[];
    repository: boolean;
    timeline: Timeline;
  }) {
    this.#store = parts.store;
    this.#options = parts.options;
    this.#session = parts.options.session;
    this.#sources = parts.sources;
    this.#repository = parts.repository;
    this.#timeline = parts.timeline;
    this.#modes = lastState(parts.timeline)?.modes ?? {};
  }

  /** Throws `SnapshotsUnavailable` where there can be none: without git, in the home directory or in `/`. */
  static async open(given: SnapshotsOptions): Promise<Snapshots> {
    const options = {
      session: "default",
      directory: join(homedir(), ".codebuff", "snapshots"),
      git: "git",
      maxFileBytes: 100 * 1024 * 1024,
      maxFiles: 200_000,
      ...given,
    };
    const version = await askUserGit(options.git, options.root, ["--version"]);
    if (version === null) throw new SnapshotsUnavailable(`${options.git} cannot be run in ${options.root}`);
    const store = await openStore(options);
    const [sources, inside, timeline] = await Promise.all([
      excludeSources(options.git, store.root),
      askUserGit(options.git, store.root, ["rev-parse", "--is-inside-work-tree"]),
      readTimeline(timelineFile(store)),
    ]);
    return new Snapshots({ store, options, sources, repository: inside?.trim() === "true", timeline });
  }

  /** Records the work tree before a prompt. What was undone before can no longer be redone. */
  checkpoint(label: string): Promise<CheckpointInfo> {
    return this.#inTurn(async () => {
      const { state, nested, skipped } = await this.#capture();
      const checkpoint = this.#newCheckpoint(label, state);
      await this.#forget(this.#timeline.future);
      await this.#save({ ...this.#timeline, past: [...this.#timeline.past, checkpoint], future: [] });
      return { ...publicFace(checkpoint), nested, skipped };
    });
  }

  /** Reads the work tree for the first time, which takes seconds in a large one: started early, no prompt waits for it. */
  async prepare(): Promise<void> {
    await this.#inTurn(() => this.#capture());
  }

  /** Records what the agent has made of it so far, to tell it from what the user changes afterwards. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      const last = this.#timeline.past.at(-1);
      if (last === undefined) return;
      const { state } = await this.#capture();
      await this.#save({ ...this.#timeline, past: [...this.#timeline.past.slice(0, -1), { ...last, after: state }] });
    });
  }

  list(): Omit<CheckpointInfo, "nested" | "skipped">[] {
    return this.#timeline.past.map(publicFace);
  }

  /**
   * Takes back what happened since the last checkpoint. Files that were changed after the agent's last step belong to
   * the user: they stay, and where both changed the same file nothing happens at all unless `force` is set.
   */
  undo(options: { force?: boolean } = {}): Promise<MoveResult> {
    return this.#inTurn(async () => {
      const checkpoint = this.#timeline.past.at(-1);
      if (checkpoint === undefined) return { kind: "nothing" };
      const current = (await this.#capture()).state;
      const after = checkpoint.after ?? current;
      const move = await this.#move(checkpoint, { current, from: after, to: checkpoint.before }, options);
      if (move.kind !== "moved") return move;
      const past = this.#timeline.past.slice(0, -1);
      await this.#save({ ...this.#timeline, past, future: [...this.#timeline.future, { ...checkpoint, after }] });
      return move;
    });
  }

  /** Brings back what the last undo took away, under the same condition. */
  redo(options: { force?: boolean } = {}): Promise<MoveResult> {
    return this.#inTurn(async () => {
      const checkpoint = this.#timeline.future.at(-1);
      if (checkpoint === undefined) return { kind: "nothing" };
      const current = (await this.#capture()).state;
      const to = checkpoint.after ?? checkpoint.before;
      const move = await this.#move(checkpoint, { current, from: checkpoint.before, to }, options);
      if (move.kind !== "moved") return move;
      const future = this.#timeline.future.slice(0, -1);
      await this.#save({ ...this.#timeline, past: [...this.#timeline.past, checkpoint], future });
      return move;
    });
  }

  /** Makes the work tree exactly what it was at a checkpoint; the state it leaves is a checkpoint too, for undo. */
  restore(id: number): Promise<MoveResult> {
    return this.#inTurn(async () => {
      const wanted = this.#timeline.past.find((checkpoint) => checkpoint.id === id);
      if (wanted === undefined) return { kind: "nothing" };
      const current = (await this.#capture()).state;
      const move = await this.#move(wanted, { current, from: current, to: wanted.before }, {});
      if (move.kind !== "moved") return move;
      const left = { ...this.#newCheckpoint(`before restoring ${id}`, current), after: wanted.before };
      await this.#forget(this.#timeline.future);
      await this.#save({ ...this.#timeline, past: [...this.#timeline.past, left], future: [] });
      return move;
    });
  }

  /** Forgets what is older than `days` in this session, other sessions not used since, and frees their space. */
  collectGarbage(days = 14): Promise<void> {
    return this.#inTurn(async () => {
      const oldest = Date.now() - days * 24 * 60 * 60 * 1000;
      const isOld = ({ time }: Checkpoint) => Date.parse(time) < oldest;
      const old = [...this.#timeline.past, ...this.#timeline.future].filter(isOld);
      if (old.length > 0) {
        const past = this.#timeline.past.filter((one) => !isOld(one));
        await this.#save({ ...this.#timeline, past, future: this.#timeline.future.filter((one) => !isOld(one)) });
        await this.#forget(old);
      }
      await collectStore(this.#store, { session: this.#session, oldest });
    });
  }

  /** Resolves when no work is under way any more. */
  async close(): Promise<void> {
    await this.#queue;
  }

  async #move(checkpoint: Checkpoint, states: States, { force = false }: { force?: boolean }): Promise<MoveResult> {
    const { id, label } = checkpoint;
    try {
      const plan = await this.#plan(states);
      if (plan.conflicts.length > 0 && !force) return { kind: "conflict", id, paths: plan.conflicts };
      this.#lastTree = null;
      await moveWorkTree(this.#store, { ...states, ...plan });
      this.#lastTree = plan.tree;
      for (const { path } of plan.changes) {
        const mode = states.to.modes[path];
        if (mode === undefined) delete this.#modes[path];
        else this.#modes[path] = mode;
      }
      return { kind: "moved", id, label, changes: plan.changes.map(({ path, kind }) => ({ path, kind })) };
    } catch (error) {
      if (error instanceof GitFailure || error instanceof InTheWay)
        return { kind: "blocked", id, reason: error.message };
      throw error;
    }
  }

  /** Only paths that differ between `from` and `to` are moved; one that is no longer as in `from` is a conflict. */
  async #plan({ current, from, to }: States) {
    const store = this.#store;
    const [ours, theirs, missing] = await Promise.all([
      compareTrees(store, from.tree, to.tree),
      compareTrees(store, from.tree, current.tree),
      compareTrees(store, current.tree, to.tree),
    ]);
    const touched = new Set(ours.map(({ path }) => path));
    const changes = missing.filter(({ path }) => touched.has(path));
    const moving = new Set(changes.map(({ path }) => path));
    const conflicts = theirs.map(({ path }) => path).filter((path) => moving.has(path));
    const whole = changes.length === missing.length;
    const tree = whole ? to.tree : await combineTrees(store, current.tree, changes);
    return { changes, conflicts, tree };
  }

  async #capture() {
    const { git, maxFileBytes, maxFiles } = this.#options;
    const capture = await captureWorkTree({
      store: this.#store,
      sources: this.#sources,
      git,
      repository: this.#repository,
      lastTree: this.#lastTree,
      modes: this.#modes,
      maxFileBytes,
      maxFiles,
    });
    this.#lastTree = capture.state.tree;
    this.#modes = { ...capture.state.modes };
    return capture;
  }

  #newCheckpoint(label: string, before: WorkTreeState): Checkpoint {
    return { id: this.#timeline.nextId, label, time: new Date().toISOString(), before, after: null };
  }

  /** The trees are kept before the timeline names them. */
  async #save(timeline: Timeline): Promise<void> {
    const all = [...timeline.past, ...timeline.future];
    const known = new Set([...this.#timeline.past, ...this.#timeline.future]);
    for (const { id, before, after } of all.filter((checkpoint) => !known.has(checkpoint))) {
      await keepTree(this.#store, `sessions/${this.#session}/${id}/before`, before.tree);
      if (after !== null) await keepTree(this.#store, `sessions/${this.#session}/${id}/after`, after.tree);
    }
    const nextId = Math.max(timeline.nextId, ...all.map(({ id }) => id + 1));
    this.#timeline = { ...timeline, nextId };
    await writeTimeline(timelineFile(this.#store), this.#timeline);
  }

  async #forget(checkpoints: readonly Checkpoint[]): Promise<void> {
    for (const { id } of checkpoints) await releaseTree(this.#store, `sessions/${this.#session}/${id}`);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => {});
    return turn;
  }
}

interface States {
  current: WorkTreeState;
  from: WorkTreeState;
  to: WorkTreeState;
}

function timelineFile(store: Store): string {
  return join(store.sessionDirectory, timelineName);
}

function lastState(timeline: Timeline): WorkTreeState | undefined {
  const last = timeline.past.at(-1);
  return last?.after ?? last?.before;
}

function publicFace({ id, label, time }: Checkpoint) {
  return { id, label, time };
}
