import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { findExcludesFile, findRepository, GitFailure, runGit } from "@muster/node";
import { type CaptureOptions, captureWorkTree, type WorkTreeState } from "./capture.ts";
import { diffTrees, type TreesDiff } from "./diff-trees.ts";
import { excludeSources } from "./exclude-rules.ts";
import { collectStore } from "./garbage.ts";
import { type Ground, packInodes, readGround, removeGround, writeGround } from "./ground.ts";
import { planMove, predates, type States } from "./plan.ts";
import { CurrentRules } from "./rules.ts";
import { keepTree, openStore, releaseTree, SnapshotsUnavailable, type Store } from "./store.ts";
import { type Checkpoint, readTimeline, type Timeline, timelineName, writeTimeline } from "./timeline.ts";
import { InTheWay, moveWorkTree, type TreeChange } from "./trees.ts";

export interface SnapshotsOptions {
  /** The project's directory; it need not be a repository. */
  root: string;
  /** Sessions have separate timelines. */
  session?: string;
  /** Where all stores lie; outside of every project. */
  directory: string;
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
  /** Too large, unreadable, or with a name that is not UTF-8. */
  skipped: string[];
  /** Written all the time while the checkpoint was taken: they are not part of it. */
  busy: string[];
}

export type MoveResult =
  | {
      kind: "moved";
      id: number;
      label: string;
      changes: { path: string; kind: TreeChange["kind"] }[];
      /** Not taken away: they were there at the checkpoint, under a name it does not record. */
      kept: string[];
    }
  /** Nothing was changed: these files were changed by somebody else since. */
  | { kind: "conflict"; id: number; paths: string[] }
  | { kind: "blocked"; id: number; reason: string }
  | { kind: "nothing" };

export interface SnapshotDiff extends TreesDiff {
  id: number;
  label: string;
  time: string;
}

/**
 * Undo, redo and checkpoints of a whole work tree, whoever changed it. Contents go to a git repository of our own
 * outside of the project; the user's repository is never written. Which
 * files belong to a checkpoint is decided by the ignore rules that held when it was taken; the others are left alone.
 */
export class Snapshots {
  readonly #store: Store;
  readonly #options: Required<Pick<SnapshotsOptions, "maxFileBytes" | "maxFiles">>;
  readonly #rules: CurrentRules;
  readonly #session: string;
  #timeline: Timeline;
  #lastTree: string | null = null;
  /** The rules the index was made by; null when something else is in it too. */
  #lastRules: string | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(parts: {
    store: Store;
    options: Required<SnapshotsOptions>;
    rules: CurrentRules;
    timeline: Timeline;
  }) {
    this.#store = parts.store;
    this.#options = parts.options;
    this.#session = parts.options.session;
    this.#rules = parts.rules;
    this.#timeline = parts.timeline;
  }

  /** Throws `SnapshotsUnavailable` where there can be none: without git, in the home directory or in `/`. */
  static async open(given: SnapshotsOptions): Promise<Snapshots> {
    const options = {
      session: "default",
      git: "git",
      maxFileBytes: 100 * 1024 * 1024,
      maxFiles: 200_000,
      ...given,
    };
    const { git } = options;
    await runGit(["--version"], { program: git, cwd: options.root }).catch(() => {
      throw new SnapshotsUnavailable(`${git} cannot be run in ${options.root}`);
    });
    const store = await openStore(options);
    const [place, timeline] = await Promise.all([
      findRepository(store.root, { program: git }),
      readTimeline(timelineFile(store)),
    ]);
    const excludesFile = place?.excludesFile ?? (await findExcludesFile(store.root, { program: git }));
    const sources = excludeSources(store.root, { excludesFile, place });
    const rules = new CurrentRules({ store, sources, git, userIndex: place?.indexFile ?? null });
    return new Snapshots({ store, options, rules, timeline });
  }

  /** Records the work tree before a prompt. What was undone before can no longer be redone. */
  checkpoint(label: string): Promise<CheckpointInfo> {
    return this.#inTurn(async () => {
      const { state, ground, nested, skipped, busy } = await this.#captureAnew();
      const checkpoint = this.#newCheckpoint(label, state);
      await writeGround(this.#store, checkpoint.id, ground);
      await this.#forget(this.#timeline.future);
      await this.#save({ ...this.#timeline, past: [...this.#timeline.past, checkpoint], future: [] });
      await setTimeout(Math.max(0, ground.time + clockTickMs - Date.now()));
      return { ...publicFace(checkpoint), nested, skipped, busy };
    });
  }

  /** Reads the work tree for the first time, which takes seconds in a large one: started early, no prompt waits for it. */
  async prepare(): Promise<void> {
    await this.#inTurn(() => this.#captureAnew());
  }

  /** Records what the agent has made of it so far, to tell it from what the user changes afterwards. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      const last = this.#timeline.past.at(-1);
      if (last === undefined) return;
      const after = (await this.#captureFor(last)).state;
      await this.#save({ ...this.#timeline, past: [...this.#timeline.past.slice(0, -1), { ...last, after }] });
    });
  }

  list(): Omit<CheckpointInfo, "nested" | "skipped" | "busy">[] {
    return this.#timeline.past.map(publicFace);
  }

  /**
   * What happened since a checkpoint, the last one when none is named: until now, or until the agent's last step.
   * Undefined when there is no such checkpoint.
   */
  diff({ id, until = "now" }: { id?: number; until?: "now" | "settled" } = {}): Promise<SnapshotDiff | undefined> {
    return this.#inTurn(async () => {
      const { past } = this.#timeline;
      const checkpoint = id === undefined ? past.at(-1) : past.find((one) => one.id === id);
      if (checkpoint === undefined) return undefined;
      const settled = until === "settled" ? checkpoint.after : null;
      const to = settled ?? (await this.#captureFor(checkpoint)).state;
      return { ...publicFace(checkpoint), ...(await diffTrees(this.#store, checkpoint.before.tree, to.tree)) };
    });
  }

  /**
   * Takes back what happened since the last checkpoint. Files that were changed after the agent's last step belong to
   * the user: they stay, and where both changed the same file nothing happens at all unless `force` is set.
   */
  undo(options: { force?: boolean } = {}): Promise<MoveResult> {
    return this.#inTurn(async () => {
      const checkpoint = this.#timeline.past.at(-1);
      if (checkpoint === undefined) return { kind: "nothing" };
      const { state: current, ground } = await this.#captureFor(checkpoint);
      const after = checkpoint.after ?? current;
      const states = { current, from: after, to: checkpoint.before };
      const move = await this.#move(checkpoint, states, { ...options, ground });
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
      const { state: current, ground } = await this.#captureFor(checkpoint);
      const to = checkpoint.after ?? checkpoint.before;
      const move = await this.#move(checkpoint, { current, from: checkpoint.before, to }, { ...options, ground });
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
      const { state: current, ground, inodes, time } = await this.#captureFor(wanted);
      const left = { ...this.#newCheckpoint(`before restoring ${id}`, current), after: wanted.before };
      await writeGround(this.#store, left.id, { ...ground, inodes: packInodes(inodes), time });
      const move = await this.#move(wanted, { current, from: current, to: wanted.before }, { ground });
      if (move.kind !== "moved") return move;
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

  async #move(
    checkpoint: Checkpoint,
    states: States,
    { force = false, ground }: { force?: boolean; ground: Ground },
  ): Promise<MoveResult> {
    const { id, label } = checkpoint;
    try {
      const { changes, conflicts, kept, tree } = await planMove(this.#store, states, { ground, force });
      if (conflicts.length > 0 && !force) return { kind: "conflict", id, paths: conflicts };
      this.#lastTree = null;
      const mayRemove = (directory: string) => !predates(this.#store.root, ground)(directory);
      await moveWorkTree(this.#store, { ...states, changes, tree, mayRemove });
      this.#lastTree = tree;
      return { kind: "moved", id, label, changes: changes.map(({ path, kind }) => ({ path, kind })), kept };
    } catch (error) {
      if (error instanceof GitFailure || error instanceof InTheWay)
        return { kind: "blocked", id, reason: error.message };
      throw error;
    }
  }

  /** By the rules that hold now. They are read again when one of the files they stand in has changed. */
  async #captureAnew() {
    let rules = await this.#rules.read();
    const known = { nested: [], skipped: [] };
    let capture = await this.#capture({ rules: rules.text, tracked: rules.tracked, ...known }, "checkpoint");
    const again = await this.#rules.read(capture.changed);
    if (again.text !== rules.text) {
      rules = again;
      capture = await this.#capture({ rules: rules.text, tracked: rules.tracked, ...known }, "checkpoint");
    }
    const { nested, skipped, busy, inodes, time } = capture;
    const left = { nested, skipped: [...skipped, ...busy] };
    const ground = { rules: rules.text, tracked: rules.tracked, ...left, time, inodes: packInodes(inodes) };
    return { ...capture, ground };
  }

  /** By the rules of a checkpoint. */
  async #captureFor({ id, after }: Checkpoint) {
    const ground = await readGround(this.#store, id);
    if (ground === null) throw new Error(`What was recorded with checkpoint ${id} is lost`);
    return { ...(await this.#capture(ground, "later", after?.extras)), ground };
  }

  async #capture(ground: CaptureOptions["ground"], moment: CaptureOptions["moment"], extras: readonly string[] = []) {
    const { maxFileBytes, maxFiles } = this.#options;
    const capture = await captureWorkTree({
      store: this.#store,
      ground,
      moment,
      extras,
      lastTree: this.#lastTree,
      rulesChanged: this.#lastRules !== ground.rules,
      maxFileBytes,
      maxFiles,
    });
    this.#lastTree = capture.state.tree;
    this.#lastRules = capture.state.extras.length > 0 ? null : ground.rules;
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
    for (const { id } of checkpoints) {
      await releaseTree(this.#store, `sessions/${this.#session}/${id}`);
      await removeGround(this.#store, id);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => {});
    return turn;
  }
}

/** File systems take the time of a new file from a clock that goes in steps of up to 10 ms. */
const clockTickMs = 12;

function timelineFile(store: Store): string {
  return join(store.sessionDirectory, timelineName);
}

function publicFace({ id, label, time }: Checkpoint) {
  return { id, label, time };
}
