import { type By, type IsOwn, isOnly, mergeAuthors } from "./author.ts";
import type { Entry } from "./entries.ts";
import type { PathChange, Point } from "./points.ts";

/** What happened to each path, in order. */
export type Stories = ReadonlyMap<string, readonly PathChange[]>;

export function storiesOf(points: readonly Point[]): Stories {
  const stories = new Map<string, PathChange[]>();
  for (const change of points.flatMap(({ changes }) => changes)) {
    const story = stories.get(change.path);
    if (story === undefined) stories.set(change.path, [change]);
    else story.push(change);
  }
  return stories;
}

export interface Verdict {
  /** What the session may go back to: the entry at the point, with what others made of it before the session touched it. */
  target: Entry;
  /** Others changed it after the session did, and going back would lose that. */
  isConflict: boolean;
  own: By[];
  others: By[];
}

/** Whether a session has made anything of a path since a point, and whether it can take that back. Null: it has not. */
export function judge(then: Entry, story: readonly PathChange[], isOwn: IsOwn): Verdict | null {
  let target = then;
  /** What the session made of it last; undefined before it touched the path. */
  let made: Entry | undefined;
  let isForeign = false;
  let isMixed = false;
  for (const { after, by } of story) {
    if (isOnly(by, isOwn)) {
      // The session's own work over somebody else's: what that was is lost by going back behind both.
      if (isForeign) isMixed = true;
      made = after;
      isForeign = false;
    } else if (made === undefined && !by.some(isOwn)) {
      target = after;
    } else if (made === undefined) {
      made = after;
      isMixed = true;
    } else {
      // Somebody who has put back what the session made has left nothing of his own there.
      isForeign = after !== made;
    }
  }
  if (made === undefined) return null;
  const all = mergeAuthors(story.map(({ by }) => by));
  return {
    target,
    isConflict: isForeign || isMixed,
    own: all.filter(isOwn),
    others: all.filter((one) => !isOwn(one)),
  };
}
