import { type Capture, captureWorkTree } from "../capture.ts";
import type { CurrentRules, Rules } from "../rules.ts";
import type { Store } from "../store.ts";
import type { Ground, Snapshot } from "./points.ts";

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

  constructor(parts: { store: Store; rules: CurrentRules; limits: HistoryLimits; umask: number }) {
    this.#store = parts.store;
    this.#rules = parts.rules;
    this.#limits = parts.limits;
    this.#umask = parts.umask;
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

  /** Something else than a look has changed the work tree or the index. */
  forget(): void {
    this.#lastTree = null;
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
    return lookOf(capture, ground, moment);
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
