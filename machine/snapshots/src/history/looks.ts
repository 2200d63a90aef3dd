import { keepTree, type Store } from "../store.ts";
import { attributeChanges, type Edited } from "./attribute-changes.ts";
import type { By, Place } from "./author.ts";
import { compareEntries } from "./entries.ts";
import type { Look, Looker } from "./looker.ts";
import type { PointLog } from "./point-log.ts";
import { isEqualGround, type MoveDone, type PathChange, type Point, type Snapshot } from "./points.ts";
import type { WorkSpans } from "./work-spans.ts";

export interface LooksParts {
  store: Store;
  looker: Looker;
  points: PointLog;
  spans: WorkSpans;
}

export interface LookWish {
  kind: Point["kind"];
  place?: Place;
  move?: MoveDone;
  /** Paths that a move has just changed. */
  moved?: Edited;
}

/** Looks at the work tree, each with what differs from the look before and whose change that was. */
export class Looks {
  readonly #parts: LooksParts;
  #edited: Edited[] = [];

  constructor(parts: LooksParts) {
    this.#parts = parts;
  }

  edited(edited: Edited): void {
    this.#edited.push(edited);
  }

  forget(session: string): void {
    this.#edited = this.#edited.filter(({ by }) => by.session !== session);
  }

  /** `state.isLate` tells, when it is done, that nobody has waited for it: then it is not what a turn began or ended with. */
  async look(wish: LookWish, state: { isLate: boolean } = { isLate: false }): Promise<{ point: Point; look: Look }> {
    const { store, points, spans } = this.#parts;
    const { kind, place, move, moved } = wish;
    const before = points.newest;
    const edited = this.#edited;
    const isAnew = before === null || kind === "begin";
    const look = isAnew ? await this.#lookAnew(before) : await this.#lookAgain(before);
    const changes = look.changes ?? (before === null ? [] : await this.#attribute(before, { look, edited, moved }));
    const keptKind = state.isLate && (kind === "begin" || kind === "end") ? "look" : kind;
    await keepTree(store, `points/${points.nextN}`, look.state.tree);
    const { changes: _, ...snapshot } = look;
    const point = await points.append(snapshot, {
      kind: keptKind,
      session: place?.session,
      turn: place?.turn,
      changes,
      move,
    });
    this.#edited = this.#edited.filter((one) => !edited.includes(one));
    await spans.looked(look.lookedAt);
    return { point, look };
  }

  /** The work tree as it is now by the rules of an earlier look. Nothing is kept of it. */
  async lookBy(then: Snapshot): Promise<Snapshot> {
    const { looker, points } = this.#parts;
    const { newest } = points;
    if (newest !== null && isEqualGround(newest.ground, then.ground)) return newest;
    return { n: points.lastN, ...(await looker.lookBy(then.ground, then.state.extras)) };
  }

  /**
   * By the rules that hold now. Where these are others than before, what has changed is told by those from before: a path
   * that is only seen or hidden by a rule was changed by nobody.
   */
  async #lookAnew(before: Snapshot | null): Promise<Look & { changes?: PathChange[] }> {
    const { looker } = this.#parts;
    let rules = await looker.currentRules();
    const isSame =
      before === null || (before.ground.rules === rules.text && sameList(before.ground.tracked, rules.tracked));
    const unchanged = isSame && before !== null ? await looker.lookUnchanged(before.ground) : undefined;
    if (unchanged !== undefined) return unchanged;
    let changes: PathChange[] | undefined;
    if (!isSame) changes = await this.#attributeBy(before);
    let look = await looker.lookAnew(rules);
    const again = await looker.currentRules(look.changed);
    if (again.text !== rules.text || !sameList(again.tracked, rules.tracked)) {
      rules = again;
      if (before !== null) changes ??= await this.#attributeBy(before);
      look = await looker.lookAnew(rules);
    }
    return { ...look, changes };
  }

  async #lookAgain(before: Snapshot): Promise<Look & { changes?: PathChange[] }> {
    const { looker } = this.#parts;
    const unchanged = await looker.lookUnchanged(before.ground);
    return unchanged ?? looker.lookBy(before.ground, before.state.extras);
  }

  async #attributeBy(before: Snapshot): Promise<PathChange[]> {
    const look = await this.#parts.looker.lookBy(before.ground, before.state.extras);
    return this.#attribute(before, { look, edited: this.#edited });
  }

  async #attribute(
    before: Snapshot,
    { look, edited, moved }: { look: Look; edited: readonly Edited[]; moved?: Edited },
  ): Promise<PathChange[]> {
    const { store, points, spans } = this.#parts;
    const { umask } = points;
    const changes = await compareEntries(store, { from: before.state, to: look.state, umask });
    const attributed = attributeChanges(changes, { root: store.root, edited, spans });
    if (moved === undefined) return attributed;
    const own = new Set(moved.paths);
    const by: By[] = [moved.by];
    return attributed.map((change) => (own.has(change.path) ? { ...change, by } : change));
  }
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry, at) => entry === other[at]);
}
