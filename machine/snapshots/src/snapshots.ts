import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { findExcludesFile, findRepository, GitFailure, runGit } from "@muster/node";
import { type Author, attribute, isOwn } from "./attribution.ts";
import { type CaptureOptions, captureWorkTree, type WorkTreeState } from "./capture.ts";
import { type Claims, isClaimed, readForeignClaims, writeClaims } from "./claims.ts";
import { diffTrees, type TreesDiff } from "./diff-trees.ts";
import { excludeSources } from "./exclude-rules.ts";
import { collectStore } from "./garbage.ts";
import { type Ground, packInodes, readGround, removeGround, writeGround } from "./ground.ts";
import { compareStates, planMove, predates, type States } from "./plan.ts";
import { CurrentRules } from "./rules.ts";
import { keepTree, openStore, releaseTree, SnapshotsUnavailable, type Store } from "./store.ts";
import { type Checkpoint, readTimeline, type Timeline, timelineName, writeTimeline } from "./timeline.ts";
import { combineTrees, compareTrees, InTheWay, moveWorkTree, type TreeChange } from "./trees.ts";
import { UserIndex } from "./user-index.ts";

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
  /** Nothing was changed: these files were changed by somebody else since. `patch` is what of theirs would be lost. */
  | { kind: "conflict"; id: number; paths: string[]; by: Record<string, Author>; patch: string }
  | { kind: "blocked"; id: number; reason: string }
  | { kind: "nothing" };

/** What happened between two looks at the work tree. */
export interface Settlement {
  /** Who did it. Left out it was a command of this session. */
  by?: Author;
  /** Paths that an edit tool of this session wrote, whoever did the rest. */
  edited?: readonly string[];
}

/** One path that differs from a checkpoint, and who changed it, in order. */
export interface AttributedChange {
  path: string;
  kind: TreeChange["kind"];
  by: Author[];
}

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
  readonly #userIndex: UserIndex | null;
  #timeline: Timeline;
  /** The work tree when it was last looked at for the newest checkpoint; null after a restart. */
  #seen: WorkTreeState | null = null;
  #claims: Claims = {};
  #lastTree: string | null = null;
  /** The rules the index was made by; null when something else is in it too. */
  #lastRules: string | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(parts: {
    store: Store;
    options: Required<SnapshotsOptions>;
    rules: CurrentRules;
    userIndex: UserIndex | null;
    timeline: Timeline;
  }) {
    this.#store = parts.store;
    this.#options = parts.options;
    this.#session = parts.options.session;
    this.#rules = parts.rules;
    this.#userIndex = parts.userIndex;
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
    const userIndex = place === undefined ? null : new UserIndex({ store, git, ...place });
    return new Snapshots({ store, options, rules, userIndex, timeline });
  }

  /** Records the work tree before a prompt. What was undone before can no longer be redone. */
  checkpoint(label: string): Promise<CheckpointInfo> {
    return this.#inTurn(async () => {
      const { state, ground, nested, skipped, busy } = await this.#captureAnew();
      const checkpoint = this.#newCheckpoint(label, state);
      await writeGround(this.#store, checkpoint.id, ground);
      await this.#forget(this.#timeline.future);
      await this.#save({ ...this.#timeline, past: [...this.#timeline.past, checkpoint], future: [] });
      this.#seen = state;
      await this.#userIndex?.begin();
      await setTimeout(Math.max(0, ground.time + clockTickMs - Date.now()));
      return { ...publicFace(checkpoint), nested, skipped, busy };
    });
  }

  /** Reads the work tree for the first time, which takes seconds in a large one: started early, no prompt waits for it. */
  async prepare(): Promise<void> {
    await this.#inTurn(() => this.#captureAnew());
  }

  /**
   * Records who changed what since the last look. Called before a tool of this session that may write (by the person),
   * and after it, each of its hooks and the whole run (by the session): so undo takes back what the session did and
   * nothing else.
   */
  settle({ by = "command", edited = [] }: Settlement = {}): Promise<void> {
    return this.#inTurn(async () => {
      const last = this.#timeline.past.at(-1);
      if (last === undefined) return;
      const { state: now } = await this.#captureFor(last);
      const known = { base: last.base ?? last.before, after: last.after ?? last.before, by: last.by };
      const seen = this.#seen ?? known.after;
      const index = (await this.#userIndex?.note(last.index, isOwn(by))) ?? last.index;
      const claimed = now.tree === seen.tree ? [] : await readForeignClaims(this.#store, Date.parse(last.time));
      const whose = authorOf({ by, edited: new Set(edited), claimed });
      const next = await attribute(this.#store, known, { seen, now, author: by, whose });
      this.#seen = now;
      await this.#claim(seen, now, { whose, by });
      await this.#save({ ...this.#timeline, past: [...this.#timeline.past.slice(0, -1), { ...last, ...next, index }] });
    });
  }

  /** Who changed what since a checkpoint, the last one when none is named. Undefined when there is no such checkpoint. */
  changes(id?: number): Promise<AttributedChange[] | undefined> {
    return this.#inTurn(async () => {
      const { past } = this.#timeline;
      const checkpoint = id === undefined ? past.at(-1) : past.find((one) => one.id === id);
      if (checkpoint === undefined) return undefined;
      const isNewest = checkpoint === past.at(-1);
      const now = isNewest ? (await this.#captureFor(checkpoint)).state : (checkpoint.after ?? checkpoint.before);
      const latest = new Set((await compareStates(this.#store, this.#seen ?? now, now)).map(({ path }) => path));
      const all = await compareStates(this.#store, checkpoint.before, now);
      return all.map(({ path, kind }) => {
        const known = checkpoint.by[path] ?? [];
        const isLater = known.length === 0 || (latest.has(path) && known.at(-1) !== "person");
        return { path, kind, by: isLater ? [...known, "person" as const] : known };
      });
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
      const to = checkpoint.base ?? checkpoint.before;
      const from = await this.#withoutForeign(checkpoint, { base: to, after });
      const move = await this.#move(checkpoint, { current, from, to }, { ...options, ground });
      if (move.kind !== "moved") return move;
      await this.#moveIndex(checkpoint, "undo");
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
      const from = checkpoint.base ?? checkpoint.before;
      const move = await this.#move(checkpoint, { current, from, to }, { ...options, ground });
      if (move.kind !== "moved") return move;
      await this.#moveIndex(checkpoint, "redo");
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
      if (conflicts.length > 0 && !force) return await this.#refuse(checkpoint, conflicts, states);
      this.#lastTree = null;
      this.#seen = null;
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

  async #refuse({ id, by }: Checkpoint, paths: string[], { from, current }: States): Promise<MoveResult> {
    const { patch } = await diffTrees(this.#store, from.tree, current.tree, paths);
    const others = paths.map((path): [string, Author] => {
      const last = by[path]?.at(-1);
      return [path, last === "session" ? last : "person"];
    });
    return { kind: "conflict", id, paths, by: Object.fromEntries(others), patch };
  }

  /**
   * What a command of this session seemed to have changed, but another session says that it wrote, with an edit tool or by a
   * command that ran at the same time: it stays. That one may have said so after this one looked.
   */
  async #withoutForeign(
    { time, by }: Checkpoint,
    { base, after }: { base: WorkTreeState; after: WorkTreeState },
  ): Promise<WorkTreeState> {
    const claims = await readForeignClaims(this.#store, Date.parse(time));
    if (claims.length === 0) return after;
    const made = await compareStates(this.#store, base, after);
    const foreign = made.filter(
      (change) => by[change.path]?.includes("edit") !== true && isClaimed(claims, change, ["edit", "command", "hook"]),
    );
    if (foreign.length === 0) return after;
    const names = new Set(foreign.map(({ path }) => path));
    const back = (await compareStates(this.#store, after, base)).filter(({ path }) => names.has(path));
    return { ...after, tree: await combineTrees(this.#store, after.tree, back) };
  }

  /**
   * Claims what this session has made of the work tree since the last look. What another session was the first to claim
   * while a command of this one ran is claimed as well: nobody knows whose it is, and neither may take it back.
   */
  async #claim(
    seen: WorkTreeState,
    now: WorkTreeState,
    { whose, by: common }: { whose: (change: TreeChange) => Author; by: Author },
  ): Promise<void> {
    const own = (await compareTrees(this.#store, seen.tree, now.tree)).flatMap((change) => {
      const told = whose(change);
      const by = told === "session" && isOwn(common) ? common : told;
      const { path, entry } = change;
      return entry !== null && (by === "edit" || by === "command" || by === "hook")
        ? [[path, { entry, by }] as const]
        : [];
    });
    if (own.length === 0) return;
    this.#claims = { ...this.#claims, ...Object.fromEntries(own) };
    await writeClaims(this.#store, this.#claims);
  }

  /** The index of a repository that somebody else is writing stays as it is: the files are back all the same. */
  async #moveIndex({ index }: Checkpoint, way: "undo" | "redo"): Promise<void> {
    if (index === null) return;
    await this.#userIndex?.move(index, way).catch((error: unknown) => {
      if (!(error instanceof GitFailure)) throw error;
    });
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
    return {
      id: this.#timeline.nextId,
      label,
      time: new Date().toISOString(),
      before,
      after: null,
      base: null,
      by: {},
      index: null,
    };
  }

  /** The trees are kept before the timeline names them. */
  async #save(timeline: Timeline): Promise<void> {
    const all = [...timeline.past, ...timeline.future];
    const known = new Set([...this.#timeline.past, ...this.#timeline.future]);
    for (const { id, before, after, base } of all.filter((checkpoint) => !known.has(checkpoint))) {
      await keepTree(this.#store, `sessions/${this.#session}/${id}/before`, before.tree);
      if (after !== null) await keepTree(this.#store, `sessions/${this.#session}/${id}/after`, after.tree);
      if (base !== null) await keepTree(this.#store, `sessions/${this.#session}/${id}/base`, base.tree);
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

/** The author of each change between two looks. An edit tool knows its files; what another session claims is its own. */
function authorOf({
  by,
  edited,
  claimed,
}: {
  by: Author;
  edited: ReadonlySet<string>;
  claimed: readonly Claims[];
}): (change: TreeChange) => Author {
  return (change) => {
    if (edited.has(change.path)) return "edit";
    return isClaimed(claimed, change, ["edit", "command", "hook"]) ? "session" : by;
  };
}

/** File systems take the time of a new file from a clock that goes in steps of up to 10 ms. */
const clockTickMs = 12;

function timelineFile(store: Store): string {
  return join(store.sessionDirectory, timelineName);
}

function publicFace({ id, label, time }: Checkpoint) {
  return { id, label, time };
}
