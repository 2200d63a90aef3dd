import { type Capture, captureWorkTree } from "../capture.ts";
import { isUnchanged } from "../file-facts.ts";
import type { CurrentRules, Rules } from "../rules.ts";
import type { Store } from "../store.ts";
import { type Ground, isEqualGround, type Snapshot } from "./points.ts";

export interface HistoryLimits {
  /** Larger files are left alone. */
  fileBytes: number;
  /** New or changed files of one snapshot. */
  snapshotFiles: number;
  /** New content of one snapshot. */
  snapshotBytes: number;
  /** All contents of one directory; the oldest snapshots go first. */
  storeBytes: number;
}

export interface Look extends Omit<Snapshot, "n"> {
  left: LeftOut[];
  /** Differed from what was recorded before. */
  changed: string[];
}

/** A path that is there and is no part of the snapshot. */
export interface LeftOut {
  path: string;
  reason: "not_recorded" | "busy" | "nested";
}

/** Reads the work tree of one directory, by the rules it is told. */
export class Looker {
  readonly #store: Store;
  readonly #rules: CurrentRules;
  readonly #limits: HistoryLimits;
  readonly #umask: number;
  #lastTree: string | null = null;
  /** The rules the index was made by; null when something else is in it too. */
  #lastRules: string | null = null;
  /** The newest look, with the versions of all it has seen. */
  #last: { look: Look; stamps: ReadonlyMap<string, string> } | null = null;

  constructor(parts: { store: Store; rules: CurrentRules; limits: HistoryLimits; umask: number }) {
    this.#store = parts.store;
    this.#rules = parts.rules;
    this.#limits = parts.limits;
    this.#umask = parts.umask;
  }

  /**
   * The last look once more, when nothing can have changed since: every file and directory has the version it had then.
   * Undefined when it has to be looked at again.
   */
  async lookUnchanged(ground: Ground): Promise<Look | undefined> {
    const last = this.#last;
    if (last === null || !isEqualGround(last.look.ground, ground)) return undefined;
    const lookedAt = Date.now();
    return (await isUnchanged(this.#store.root, last.stamps)) ? { ...last.look, lookedAt, changed: [] } : undefined;
  }

  currentRules(changed: readonly string[] = []): Promise<Rules> {
    return this.#rules.read(changed);
  }

  /** By the rules of a turn's begin: what has taken the place of a recorded file is recorded too, ignored or not. */
  lookBy(ground: Ground, extras: readonly string[]): Promise<Look> {
    return this.#capture(ground, { moment: "later", extras });
  }

  /** By rules that hold from now on: nothing is closed but what is found to be. */
  lookAnew({ text, tracked }: Rules): Promise<Look> {
    return this.#capture({ rules: text, tracked, nested: [], skipped: [] }, { moment: "checkpoint", extras: [] });
  }

  async #capture(
    ground: Ground,
    { moment, extras }: { moment: "checkpoint" | "later"; extras: readonly string[] },
  ): Promise<Look> {
    const { fileBytes, snapshotFiles, snapshotBytes } = this.#limits;
    const rulesChanged = this.#lastRules !== ground.rules;
    const lastTree = this.#lastTree;
    this.#lastTree = null;
    this.#lastRules = null;
    this.#last = null;
    const capture = await captureWorkTree({
      store: this.#store,
      ground,
      moment,
      extras,
      lastTree,
      rulesChanged,
      maxFileBytes: fileBytes,
      maxFiles: snapshotFiles,
      maxBytes: snapshotBytes,
      isSteady: true,
      umask: this.#umask,
    });
    this.#lastTree = capture.state.tree;
    this.#lastRules = capture.state.extras.length > 0 ? null : ground.rules;
    const look = lookOf(capture, ground, moment);
    this.#last = capture.stamps === null ? null : { look, stamps: capture.stamps };
    return look;
  }
}

function lookOf(capture: Capture, ground: Ground, moment: "checkpoint" | "later"): Look {
  const { state, inodes, time, nested, skipped, busy, changed } = capture;
  const left: LeftOut[] = [
    ...nested.map((path): LeftOut => ({ path, reason: "nested" })),
    ...skipped.map((path): LeftOut => ({ path, reason: "not_recorded" })),
    ...busy.map((path): LeftOut => ({ path, reason: "busy" })),
  ];
  const closed = moment === "checkpoint" ? { nested, skipped: [...skipped, ...busy] } : {};
  return { state, inodes, lookedAt: time, ground: { ...ground, ...closed }, left, changed };
}
