import { isAbsolute, join, relative, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findExcludesFile, findRepository, runGit, SerialQueue } from "@muster/node";
import { excludeSources } from "../exclude-rules.ts";
import { CurrentRules } from "../rules.ts";
import { openStore, SnapshotsUnavailable, type Store } from "../store.ts";
import type { Place } from "./author.ts";
import { collectHistory, dropPoints, removeLeftovers } from "./collect-history.ts";
import { diffStates, type HistoryDiff } from "./history-diff.ts";
import { inheritPoints } from "./inherit-points.ts";
import { type HistoryLimits, type LeftOut, Looker } from "./looker.ts";
import { Looks, type LookWish } from "./looks.ts";
import { type Materialized, type MaterializeWish, materialize, removeHalfMade } from "./materialize.ts";
import {
  type Moved,
  Moves,
  type Preview,
  type Recovered,
  type Refused,
  type RewindWish,
  type UndoWish,
} from "./moves.ts";
import { PointLog } from "./point-log.ts";
import type { MoveDone } from "./points.ts";
import { type Skipped, skippedFor } from "./skipped.ts";
import { SnapshotFinder } from "./snapshot-finder.ts";
import { storiesOf } from "./stories.ts";
import { WorkSpans } from "./work-spans.ts";

export interface HistoryOptions {
  /** The directory that sessions work in; it need not be a repository. */
  root: string;
  /** Where the stores of all directories lie; outside of every one. */
  directory: string;
  /** The root may be none of these and hold none of them. */
  closed?: readonly string[];
  limits?: Partial<HistoryLimits>;
  git?: string;
}

export interface Taken {
  kind: "taken";
  point: number;
  /** Paths that differ from the look before. */
  changed: number;
  /** There and not part of the snapshot. */
  left: LeftOut[];
}

const usualLimits: HistoryLimits = {
  fileBytes: 100 * 1024 * 1024,
  snapshotFiles: 200_000,
  snapshotBytes: 4 * 1024 ** 3,
  storeBytes: 8 * 1024 ** 3,
};

const beginMs = 5_000;
const endMs = 120_000;
/** File systems take the time of a new file from a clock that goes in steps of up to 10 ms. */
const clockTickMs = 12;
const looksPerCollection = 50;

interface HistoryParts {
  store: Store;
  limits: HistoryLimits;
  git: string;
  points: PointLog;
  spans: WorkSpans;
  looks: Looks;
  finder: SnapshotFinder;
  moves: Moves;
}

/**
 * The history of one directory, shared by all sessions that work in it: what it held at the end of each turn, and who
 * changed what in between. Contents lie in a git repository of our own outside of the directory; what differs from look
 * to look is one line of a file. Everything is done one after the other. One process at a time may have it open.
 */
export class DirectoryHistory {
  readonly root: string;
  /** A move that the end of the process before had cut. */
  readonly recovered: Recovered | undefined;
  readonly #parts: HistoryParts;
  readonly #queue = new SerialQueue();
  #looksSinceCollection = 0;
  #hasDropped = false;

  private constructor(parts: HistoryParts, recovered: Recovered | undefined) {
    this.root = parts.store.root;
    this.recovered = recovered;
    this.#parts = parts;
  }

  /** Throws `SnapshotsUnavailable` where there can be none: without git, in the home directory, in `/`, above `closed`. */
  static async open(options: HistoryOptions): Promise<DirectoryHistory> {
    const { git = "git", root, directory, closed } = options;
    const limits = { ...usualLimits, ...options.limits };
    await runGit(["--version"], { program: git, cwd: root }).catch(() => {
      throw new SnapshotsUnavailable(`${git} cannot be run in ${root}`);
    });
    const store = await openStore({ root, directory, closed, git, session: "history", sharesIndex: false });
    // Nobody else writes this store: what is half-made is of a process that was killed.
    await removeLeftovers(store);
    await removeHalfMade(store, git);
    const place = await findRepository(store.root, { program: git });
    const excludesFile = place?.excludesFile ?? (await findExcludesFile(store.root, { program: git }));
    const sources = excludeSources(store.root, { excludesFile, place });
    const rules = new CurrentRules({ store, sources, git, userIndex: place?.indexFile ?? null });
    const points = await PointLog.open(join(store.sessionDirectory, "points.jsonl"));
    const spans = await WorkSpans.open(join(store.sessionDirectory, "work.json"));
    const looker = new Looker({ store, rules, limits, umask: points.umask });
    const looks = new Looks({ store, looker, points, spans });
    const finder = new SnapshotFinder(points);
    const moves = new Moves({ store, looks, points, finder });
    const recovered = await moves.recover();
    return new DirectoryHistory({ store, limits, git, points, spans, looks, finder, moves }, recovered);
  }

  /** Reads the directory for the first time, which takes seconds in a large one: started early, no prompt waits for it. */
  prepare(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#parts.points.newest === null) await this.#parts.looks.look({ kind: "look" });
    });
  }

  /**
   * Before a prompt is given: what has changed since the last look is the person's, or of the sessions that are at work.
   * After `timeoutMs` the prompt does not wait any longer.
   */
  async begin(place: Place, { timeoutMs = beginMs }: { timeoutMs?: number } = {}): Promise<Taken | Skipped> {
    const taken = await this.#take({ kind: "begin", place }, timeoutMs);
    await this.#parts.spans.begin(place, { wasLooked: taken.kind === "taken" });
    await wait(clockTickMs);
    return taken;
  }

  /** At the end of a turn. */
  async end(place: Place, { timeoutMs = endMs }: { timeoutMs?: number } = {}): Promise<Taken | Skipped> {
    await this.#parts.spans.end(place);
    const taken = await this.#take({ kind: "end", place }, timeoutMs);
    this.#looksSinceCollection += 1;
    if (this.#looksSinceCollection >= looksPerCollection) void this.collect().catch(() => {});
    return taken;
  }

  /** Paths that an edit tool or a hook of a session has written; they are known to be its own. */
  edited(edit: Place & { call?: string; how?: "edit" | "hook"; paths: readonly string[] }): void {
    const { paths, how = "edit", session, turn, call } = edit;
    const inside = paths.flatMap((path) => {
      const below = isAbsolute(path) ? relative(this.root, path) : path;
      return below === "" || below === ".." || below.startsWith(`..${sep}`) ? [] : [below.split(sep).join("/")];
    });
    if (inside.length > 0) this.#parts.looks.edited({ paths: inside, by: { session, turn, call, how } });
  }

  /** Whether it is known what the directory held at the end of a turn. */
  has(place: Place): boolean {
    return this.#parts.finder.has(place);
  }

  /** The turns of a session whose end is known, in order; 0 is before its first. */
  turnsOf(session: string): number[] {
    return this.#parts.finder.turnsOf(session);
  }

  /** What `rewind` would do. Changes nothing in the directory. Throws `NoSnapshot`, as the moves do. */
  preview(wish: RewindWish): Promise<Preview> {
    return this.#queue.run(() => this.#parts.moves.preview(wish));
  }

  /** Takes back what a session has made since the end of a turn, and nothing of anybody else's. */
  rewind(wish: RewindWish): Promise<Moved | Refused> {
    return this.#queue.run(() => this.#parts.moves.rewind(wish));
  }

  /** Takes a rewind back, once. */
  undo(wish: UndoWish): Promise<Moved | Refused> {
    return this.#queue.run(() => this.#parts.moves.undo(wish));
  }

  /** What differs between the ends of two turns, or from one to now, whoever made it. */
  diff({ session, from, to }: { session: string; from: number; to?: number }): Promise<HistoryDiff> {
    return this.#queue.run(async () => {
      const { store, points, looks, finder } = this.#parts;
      const first = finder.find({ session, turn: from });
      if (to === undefined) await looks.look({ kind: "look" });
      const second = to === undefined ? (points.newest ?? first) : finder.find({ session, turn: to });
      const [older, newer] = first.n <= second.n ? [first, second] : [second, first];
      const stories = storiesOf(points.after(older.n).filter(({ n }) => n <= newer.n));
      return diffStates(store, { from: first.state, to: second.state, umask: points.umask, stories });
    });
  }

  /** What differs from a turn's end here to one in another directory. */
  compare(question: { place: Place; other: DirectoryHistory; otherPlace: Place }): Promise<HistoryDiff> {
    const { place, other, otherPlace } = question;
    return this.#queue.run(() => {
      const { store, points, finder } = this.#parts;
      const from = finder.find(place);
      const to = other.#parts.finder.find(otherPlace);
      const stories = storiesOf([...points.after(from.n), ...other.#parts.points.all]);
      const objects = join(other.#parts.store.gitDirectory, "objects");
      return diffStates(store, { from: from.state, to: to.state, umask: points.umask, stories, objects });
    });
  }

  /** A new directory that holds what this one held at the end of a turn. */
  materialize({ session, turn, ...wish }: Place & MaterializeWish): Promise<Materialized> {
    return this.#queue.run(async () => {
      const { store, git, points, looks, finder } = this.#parts;
      const snapshot = finder.find({ session, turn });
      const live = async () => {
        await looks.look({ kind: "look" });
        return looks.lookBy(snapshot);
      };
      return materialize({ store, git, snapshot, umask: points.umask, live, ...wish });
    });
  }

  /** The turns of a session in another directory up to one are those of a session here, which has no history yet. */
  inherit(wish: { from: DirectoryHistory; session: string; at: number; as: string }): Promise<void> {
    const { from, ...rest } = wish;
    return this.#queue.run(() => {
      const { store, points, finder } = from.#parts;
      const source = { store, points, finder };
      return inheritPoints({ source, target: this.#parts, ...rest });
    });
  }

  /** The newest move of a session, as long as no turn of its own has followed. */
  lastMove(session: string): MoveDone | undefined {
    return this.#parts.points.all.findLast((point) => {
      return point.move?.session === session || (point.session === session && point.kind !== "look");
    })?.move;
  }

  /** Forgets the oldest points up to the first that another session needs. */
  forget(session: string): Promise<void> {
    return this.#queue.run(async () => {
      const { store, points, looks } = this.#parts;
      looks.forget(session);
      const isWanted = (point: { session?: string }) => point.session !== undefined && point.session !== session;
      if (await dropPoints(store, { points, isWanted })) this.#hasDropped = true;
    });
  }

  /** Packs what is known, and drops the oldest snapshots as long as all take more than they may. */
  collect(): Promise<void> {
    this.#looksSinceCollection = 0;
    return this.#queue.run(async () => {
      const { store, points, limits } = this.#parts;
      const dropped = this.#hasDropped;
      this.#hasDropped = false;
      await collectHistory(store, { points, mostBytes: limits.storeBytes, dropped });
    });
  }

  /** Resolves when no work is under way any more. */
  async close(): Promise<void> {
    this.#parts.spans.close();
    await this.#queue.idle();
  }

  async #take(wish: LookWish, timeoutMs: number): Promise<Taken | Skipped> {
    const state = { isLate: false };
    const looked = this.#queue
      .run(() => this.#parts.looks.look(wish, state))
      .then(
        ({ point, look }): Taken => {
          return { kind: "taken", point: point.n, changed: point.changes.length, left: look.left };
        },
        (error: unknown) => skippedFor(error),
      );
    const timer = new AbortController();
    const late = wait(timeoutMs, undefined, { signal: timer.signal, ref: false }).then((): Skipped => {
      state.isLate = true;
      return { kind: "skipped", reason: "timeout", detail: `Reading ${this.root} took longer than ${timeoutMs} ms` };
    });
    try {
      return await Promise.race([looked, late]);
    } finally {
      timer.abort();
      late.catch(() => {});
    }
  }
}
