export type { Author } from "./attribution.ts";
export type { By, Place } from "./history/author.ts";
export { DirectoryHistory, type HistoryOptions, type Taken } from "./history/directory-history.ts";
export type { FileChange, HistoryDiff } from "./history/history-diff.ts";
export type { HistoryLimits, LeftOut } from "./history/looker.ts";
export { CannotMaterialize, type Materialized } from "./history/materialize.ts";
export type { Moved, Preview, Recovered, Refused } from "./history/moves.ts";
export type { Change, Conflict } from "./history/rewind-plan.ts";
export type { Skipped, SkipReason } from "./history/skipped.ts";
export { NoSnapshot } from "./history/snapshot-finder.ts";
export {
  type AttributedChange,
  type MoveResult,
  type Settlement,
  Snapshots,
  type SnapshotsOptions,
} from "./snapshots.ts";
export { SnapshotsUnavailable } from "./store.ts";
